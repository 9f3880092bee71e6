// The live screen as a program: terminal in, terminal out, and the terminal as it was when it ends.
import { render, useApp, useInput, useStdout } from 'ink';
import { useEffect, useReducer, useState } from 'react';
import type { Paths } from '../../schema/paths.ts';
import type { Context } from '../context.ts';
import { DONE } from '../context.ts';
import { connectTo } from '../reach.ts';
import { feed } from './feed.ts';
import { meaningOf } from './keys.ts';
import type { Size } from './layout.ts';
import { Colours } from './parts/line.tsx';
import { Overview } from './screens/overview.tsx';
import { initialState, nextState, type ScreenEvent } from './state.ts';

/** Starts whatever brings events; ends it when `signal` aborts. */
export type Source = (dispatch: (event: ScreenEvent) => void, signal: AbortSignal) => void;

/** One row is left free: Ink clears the whole terminal for output that fills it, which flickers. */
const sizeOf = ({ columns, rows }: { readonly columns?: number; readonly rows?: number }): Size => ({
  columns: columns || 80,
  rows: Math.max(2, (rows || 24) - 1),
});

const useSize = (): Size => {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  useEffect(() => {
    const resized = () => setSize(sizeOf(stdout));
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  }, [stdout]);
  return size;
};

export interface AppProps {
  readonly source: Source;
  /** @default Date.now */
  readonly now?: () => number;
}

export const App = ({ source, now = Date.now }: AppProps) => {
  const { exit } = useApp();
  const size = useSize();
  const [state, dispatch] = useReducer(nextState, undefined, () => initialState(now()));
  useEffect(() => {
    const scope = new AbortController();
    source(dispatch, scope.signal);
    const clock = setInterval(() => dispatch({ kind: 'tick', now: now() }), 1000);
    return () => {
      scope.abort();
      clearInterval(clock);
    };
  }, [source, now]);
  useInput((input, key) => {
    const meaning = meaningOf(input, key);
    if (meaning === 'quit') exit();
    else if (meaning) dispatch(meaning);
  });
  return <Overview state={state} size={size} />;
};

const ENTER = '\u001b[?1049h\u001b[H';
const LEAVE = '\u001b[?1049l\u001b[?25h';
const SIGNALS = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const;

/** Draws on the terminal's second page, so that what was there before is there again afterwards. Gives the exit code. */
export const showStatus = async ({ stdin, stdout, stderr, environment }: Context, paths: Paths): Promise<number> => {
  const leave = () => void stdout.write(LEAVE);
  process.once('exit', leave);
  stdout.write(ENTER);
  const source: Source = (dispatch, signal) => void feed({ connect: connectTo(paths), dispatch, signal });
  const screen = (
    <Colours value={!environment['NO_COLOR']}>
      <App source={source} />
    </Colours>
  );
  const app = render(screen, { stdin, stdout, stderr, exitOnCtrlC: false });
  let code: number = DONE;
  const listeners = Object.entries(SIGNALS).map(([signal, value]) => {
    const end = () => {
      code = value;
      app.unmount();
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  try {
    await app.waitUntilExit();
  } finally {
    for (const stop of listeners) stop();
    process.off('exit', leave);
    leave();
  }
  return code;
};
