// The whole screen: the daemon on top, the tables below, the keys in the last row.
import { Box, Text } from 'ink';
import { truncateEnd } from '../../format.ts';
import { HELP } from '../keys.ts';
import { layout, type Size } from '../layout.ts';
import { Lines } from '../parts/line.tsx';
import { PaneBox } from '../parts/pane.tsx';
import type { ScreenState } from '../state.ts';

export const Overview = ({ state, size }: { readonly state: ScreenState; readonly size: Size }) => {
  const { top, paneRows } = layout(state, size);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
      <Lines lines={top} />
      {paneRows.map((panes) => (
        <Box key={panes[0]?.section} marginTop={1} gap={4} flexShrink={0}>
          {panes.map((pane) => (
            <PaneBox key={pane.section} pane={pane} />
          ))}
        </Box>
      ))}
      <Box flexGrow={1} />
      <Box flexShrink={0}>
        <Text dimColor wrap="truncate">
          {truncateEnd(HELP, size.columns)}
        </Text>
      </Box>
    </Box>
  );
};
