// The command line: what there is, how it is called, and what exit code comes out.
import { Command, CommanderError, Option } from 'commander';
import { MetadError, toWire } from '../schema/errors.ts';
import { VERSION } from '../schema/wire.ts';
import { type CommonOptions, type Context, DONE, FAILED, MISUSED, note, UsageError } from './context.ts';

/** What a command is called with: its options, then its arguments in order. */
type Action = (options: CommonOptions, ...args: (string | undefined)[]) => Promise<number>;

const example = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;

/** Every command is loaded when it is called: most of them need little, and none needs all. */
const addCommands = (program: Command, context: Context, finish: (code: Promise<number>) => Promise<void>): void => {
  const run =
    (action: Action) =>
    (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      return finish(action(command.optsWithGlobals(), ...command.processedArgs));
    };

  program
    .command('status')
    .description('show the daemon, its servers, sessions and calls; live on a terminal')
    .addHelpText('after', example('metad status', 'metad status --json | jq .servers', 'metad status | cat'))
    .action(run(async (options) => (await import('./commands/status.ts')).status(context, options)));

  const daemon = program
    .command('daemon')
    .description('start and stop the daemon by hand (agents start it by themselves)');
  daemon
    .command('start')
    .description('start the daemon and wait until it is ready')
    .action(run(async (options) => (await import('./commands/daemon.ts')).start(context, options)));
  daemon
    .command('stop')
    .description('end the daemon in order and wait until it is gone')
    .action(run(async (options) => (await import('./commands/daemon.ts')).stop(context, options)));
  daemon
    .command('restart')
    .description(
      'hand over to a new daemon once no call is going on; agents that are connected come back by themselves',
    )
    .option('--now', 'wait for no call')
    .action(run(async (options) => (await import('./commands/daemon.ts')).restart(context, options)));
  daemon
    .command('run')
    .description('run the daemon in the foreground')
    .action(run(async (options) => (await import('./commands/daemon.ts')).run(context, options)));

  program
    .command('tools')
    .description('print the TypeScript declarations of servers, of all where none is named')
    .argument('[server...]', 'names of servers, as `metad status` shows them')
    .addOption(new Option('--detail <detail>', 'how much of each tool').choices(['names', 'signatures', 'full']))
    .addHelpText('after', example('metad tools files', 'metad tools > tools.d.ts', 'metad tools --detail names'))
    .action((servers: string[], _options: unknown, command: Command) =>
      finish(import('./commands/tools.ts').then(({ tools }) => tools(context, servers, command.optsWithGlobals()))),
    );

  program
    .command('call')
    .description('call one tool and print the text of its result')
    .argument('<server.tool>', 'raw or script name, e.g. files.read_file')
    .argument('[json]', 'its arguments as one JSON object; - reads them from stdin')
    .addHelpText(
      'after',
      example(
        `metad call files.read_file '{"path": "notes.md"}'`,
        'metad call memory.read_graph --json',
        'metad call web.fetch - < arguments.json',
      ),
    )
    .action(
      run(async (options, target = '', json) =>
        (await import('./commands/call.ts')).call(context, target, json, options),
      ),
    );

  program
    .command('exec')
    .description('run a JavaScript or TypeScript file with the tools as functions, in the sandbox')
    .argument('<file>', 'the script; - reads it from stdin')
    .option('--timeout <seconds>', 'time for the script itself, waiting for tools not counted')
    .option('--trace', 'print the calls that it made on stderr')
    .addHelpText('after', example('metad exec report.ts', `echo 'return Object.keys(files)' | metad exec -`))
    .action(run(async (options, file = '') => (await import('./commands/exec.ts')).exec(context, file, options)));

  program
    .command('why')
    .description('say who shares an instance of a server, why others do not, and what that spares')
    .argument('<server>', 'a server, as `metad status` names it')
    .addHelpText('after', example('metad why files', 'metad why browser --json'))
    .action(run(async (options, server = '') => (await import('./commands/why.ts')).why(context, server, options)));

  program
    .command('list')
    .description('list the servers that apply here, and the files that declare them')
    .option('--workspace <dir>', 'that folder instead of the workspace of the current one')
    .action(run(async (options) => (await import('./commands/list.ts')).list(context, options)));

  program
    .command('suggest')
    .description('name well-known servers that would be of use in the workspace')
    .option('--workspace <dir>', 'that folder instead of the workspace of the current one')
    .addHelpText('after', example('metad suggest', 'metad add prisma'))
    .action(run(async (options) => (await import('./commands/suggest.ts')).suggest(context, options)));

  const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  program
    .command('add')
    .description('add a server: one that `metad suggest` names, or one that you spell out')
    .argument('<name>', 'what scripts call it by')
    .argument('[command...]', 'after --, the program to start and its arguments')
    .option('--url <url>', 'the address of a server that runs elsewhere')
    .option(
      '--env <name=value>',
      'a variable for it, as often as needed; ${NAME} is taken from your environment',
      collect,
    )
    .option('--header <name:value>', 'a header of every request to the --url, as often as needed', collect)
    .option('--sharing <sharing>', 'who uses one instance: user, workspace or session')
    .option('--workspace <dir>', 'for that workspace alone, in its .metad/config.json')
    .option('--force', 'take the place of a server that has the name already')
    .addHelpText(
      'after',
      example(
        'metad add prisma',
        'metad add eslint --workspace .',
        `metad add notes -- npx -y @modelcontextprotocol/server-filesystem '\${HOME}/notes'`,
        `metad add docs --url https://mcp.example/mcp --header 'Authorization: Bearer \${DOCS_TOKEN}'`,
      ),
    )
    .action((name: string, words: string[], _options: unknown, command: Command) =>
      finish(import('./commands/add.ts').then(({ add }) => add(context, name, words, command.optsWithGlobals()))),
    );
  program
    .command('remove')
    .description('take a server out of your config.json, or out of what `metad add` wrote')
    .argument('<name>', 'as `metad list` names it')
    .option('--workspace <dir>', 'out of the .metad/config.json of that workspace')
    .action(run(async (options, name = '') => (await import('./commands/add.ts')).remove(context, name, options)));

  program
    .command('sync')
    .description('fetch registries, show what of them would run, and give waiting sessions the servers of today')
    .option('--yes', 'take what is shown without asking; without it and without a terminal nothing new is taken')
    .addHelpText('after', example('metad sync', 'metad sync --json'))
    .action(run(async (options) => (await import('./commands/sync.ts')).sync(context, options)));

  program
    .command('trust')
    .description("show what a workspace's own files would start, and let metad use it once you say so")
    .option('--workspace <dir>', 'that folder instead of the workspace of the current one')
    .option('--yes', 'trust what is shown without asking; without it and without a terminal the answer is no')
    .option('--revoke', 'forget everything that was trusted in the workspace')
    .addHelpText('after', example('metad trust', 'metad trust --json', 'metad trust --workspace ~/work/shop --revoke'))
    .action(run(async (options) => (await import('./commands/trust.ts')).trust(context, options)));

  program
    .command('logs')
    .description('print the log of the daemon or of one server')
    .argument('[server]', 'a server, as `metad status` names it')
    .option('-f, --follow', 'go on as it grows')
    .option('-n, --lines <count>', 'lines to begin with', '50')
    .addHelpText('after', example('metad logs -f', 'metad logs files -n 200', 'metad logs --json | jq .event'))
    .action(run(async (options, server) => (await import('./commands/logs.ts')).logs(context, server, options)));

  // The launcher looks at the first word only.
  program
    .command('shim', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new UsageError('`shim` comes first, its options after it: `metad shim --home DIR`.');
    });

  const config = program.command('config').description('check config.json, or print its schema');
  config
    .command('check')
    .description('name every mistake with its file, line and column')
    .argument('[file]', 'instead of the config.json in use')
    .action(run(async (options, file) => (await import('./commands/config.ts')).check(context, file, options)));
  config
    .command('schema')
    .description('print the JSON Schema of config.json, for editors')
    .action(run(async () => (await import('./commands/config.ts')).schema(context)));
};

/** One sentence on stderr; with --json, one line `{error}` as the daemon would say it. */
const report = (context: Context, error: unknown, asJson: boolean): number => {
  if (error instanceof UsageError) {
    note(context, `metad: ${error.message}`);
    return MISUSED;
  }
  if (asJson && error instanceof MetadError) context.stderr.write(`${JSON.stringify({ error: toWire(error) })}\n`);
  else if (error instanceof MetadError) note(context, `metad: ${error.message}`);
  else
    note(context, `metad: this is a bug of metad, please report it.\n${error instanceof Error ? error.stack : error}`);
  return FAILED;
};

/**
 * @param argv what follows the program's name
 * @returns the exit code: 0 done, 1 failed, 2 misused
 */
export const runProgram = async (argv: readonly string[], context: Context): Promise<number> => {
  let code = DONE;
  const program = new Command('metad')
    .description('One warm daemon behind every coding agent: its MCP servers as two tools.')
    .usage('[options] <command>')
    .option('--home <dir>', 'keep everything below DIR instead of the account’s own folders (METAD_HOME)')
    .option('--json', 'print data as JSON')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'metad: ')),
    })
    .showHelpAfterError('`metad --help` lists the commands.')
    .exitOverride();
  program.addHelpText(
    'after',
    `${example(
      'metad status',
      'metad tools files',
      `metad call files.list_directory '{"path": "."}'`,
      'metad exec report.ts',
    )}\nAgents run \`metad shim\`; nobody else needs to.\nExit codes: 0 done, 1 failed, 2 misused.\n`,
  );
  addCommands(program, context, async (finished) => {
    code = await finished;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(context, error, program.opts<CommonOptions>().json === true);
    const asked = ['commander.helpDisplayed', 'commander.version'].includes(error.code) || error.exitCode === 0;
    return asked ? DONE : MISUSED;
  }
};
