// One line of a screen: pieces of text, each in the colour of its tone.
import { Box, Text } from 'ink';
import { createContext, useContext } from 'react';
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

/** False under NO_COLOR, which Ink does not look at. Bold and dim stay: they are no colours. */
export const Colours = createContext(true);

const styleOf = (tone: Tone, hasColours: boolean) => {
  const { color, ...rest } = STYLE[tone];
  return hasColours && color !== undefined ? { ...rest, color } : rest;
};

export const LineText = ({ line }: { readonly line: Line }) => {
  const hasColours = useContext(Colours);
  return (
    <Text wrap="truncate">
      {line.map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
        <Text key={at} {...styleOf(tone, hasColours)}>
          {text}
        </Text>
      ))}
    </Text>
  );
};

export const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <Box flexDirection="column">
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at this height
      <LineText key={at} line={line} />
    ))}
  </Box>
);
