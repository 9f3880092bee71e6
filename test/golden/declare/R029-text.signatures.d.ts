declare namespace fx {
function ends_with_star(params?: { a?: string }): Promise<any>; // ends *
function hostile(params?: { path?: string; "*/ leak: 1; /*"?: "*/" | "`${leak}`" | "\u2028" | "\"\n"; kind?: string }): Promise<any>; // Reads a file.*/ export const leak = 1; /* second line third line
function thirty(params?: Record<string, unknown>): Promise<any>; // line 1 line 2 line 3 line 4 line 5 line 6 line 7 line 8 line 9 line 10 line 11…
}
