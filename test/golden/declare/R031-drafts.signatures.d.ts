declare namespace fx {
function draft04(params?: { n?: number; m?: string }): Promise<any>;
function keywords(params: { type: string; description?: string; $ref?: string; items?: number[]; required: boolean; properties?: { enum?: string; $id?: string }; __proto__x?: string; constructor?: string }): Promise<any>;
function null_spellings(params?: A): Promise<any>;
type A = { a?: string | number | A[] | null; b?: string | null; c?: string | null };
}
