// A package of npm's as it is asked for on a command line. Pure.

const SPEC = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i;
const EXACT = /^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i;
/** `1`, `1.x`, `^1.2`, `~1.2.3`: other ranges, addresses, folders and aliases are left to the runner. */
const RANGE = /^[\^~]?\d+(\.(\d+|x|\*)){0,2}(-[0-9a-z.-]+)?$/i;
const TAG = /^[a-z][a-z-]*$/i;

/** Undefined for any form that is not surely understood. */
export const specOf = (
  spec: string,
): { readonly name: string; readonly wanted: string; readonly isExact: boolean } | undefined => {
  const [, name, wanted = ''] = SPEC.exec(spec) ?? [];
  if (name === undefined) return undefined;
  const isExact = EXACT.test(wanted);
  if (wanted !== '' && !isExact && !RANGE.test(wanted) && !TAG.test(wanted)) return undefined;
  return { name, wanted, isExact };
};
