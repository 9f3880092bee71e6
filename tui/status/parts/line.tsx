// One line of a screen: pieces of text, each in the colour of its tone.
import { Box, Text } from 'ink';
import type { Line, Tone } from '../../table.ts';

/** Few and far apart: each also says in words what it means. */
const STYLE: Readonly<Record<Tone, { color?: string; bold?: boolean; dimColor?: boolean }>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  good: { color: 'green' },
  busy: { color: 'yellow' },
  bad: { color: 'red' },
};

export const LineText = ({ line }: { readonly line: Line }) => (
  <Text wrap="truncate">
    {line.map(({ text, tone }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
      <Text key={at} {...STYLE[tone]}>
        {text}
      </Text>
    ))}
  </Text>
);

export const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <Box flexDirection="column">
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at this height
      <LineText key={at} line={line} />
    ))}
  </Box>
);
