// One tool and what its check says.
import { createChecker } from '../../../daemon/arguments/check.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { Json, JsonObject, Tool } from '../../../schema/tool.ts';

export const toolOf = (inputSchema: Json, more: Partial<Tool> = {}) => ({
  raw: 'list-rows',
  script: 'list_rows',
  tool: { name: 'list-rows', inputSchema, ...more },
});

export const checking = (inputSchema: Json, more: Partial<Tool> = {}) => {
  const unchecked: string[] = [];
  const checker = createChecker({ unchecked: (tool, why) => unchecked.push(`${tool}: ${why}`) });
  const tool = toolOf(inputSchema, more);
  return {
    unchecked,
    result: (value: Json) => checker.result(tool, value),
    /** The arguments that go to the server, or the lines of the refusal. */
    check: (args: JsonObject): JsonObject | string[] => {
      try {
        return checker.args('fx', tool, args);
      } catch (error) {
        if (!(error instanceof MetadError) || error.code !== 'bad-request') throw error;
        return error.message.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
      }
    },
  };
};
