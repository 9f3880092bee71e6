// One table with its title.
import { Box } from 'ink';
import type { Pane } from '../layout.ts';
import { Lines, LineText } from './line.tsx';

export const PaneBox = ({ pane: { title, lines, width } }: { readonly pane: Pane }) => (
  <Box flexDirection="column" width={width} flexShrink={0}>
    <LineText line={title} />
    <Lines lines={lines} />
  </Box>
);
