declare namespace fx {
/** Gets an issue. It may be closed. (raw name: get-issue) */
function get_issue(params?: { id?: string }): Promise<{ number: number; title?: string; labels?: string[]; state?: "open" | "closed" }>;
/** List issues (raw name: list-issues) */
function list_issues(params?: { page?: number }): Promise<{ issues?: { number: number; title?: string; labels?: string[]; state?: "open" | "closed" }[] }>;
/** Updates (raw name: update.issue) */
function update_issue(params?: {
 issue?: {
  /** integer */ number: number;
  title?: string;
  labels?: string[];
  state?: "open" | "closed";
 };
}): Promise<any>;
}
