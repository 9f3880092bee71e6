declare namespace fx {
function get_issue(params?: { id?: string }): Promise<{ number: number; title?: string; labels?: string[]; state?: "open" | "closed" }>; // Gets an issue
function list_issues(params?: { page?: number }): Promise<{ issues?: { number: number; title?: string; labels?: string[]; state?: "open" | "closed" }[] }>; // List issues
function update_issue(params?: { issue?: { number: number; title?: string; labels?: string[]; state?: "open" | "closed" } }): Promise<any>; // Updates
}
