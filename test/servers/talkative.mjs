// talkative: log messages. `say {level, text, count}` sends that many and answers; `level` gives the level it was told.
import { send, serve, text } from './serve.mjs';

let told = null;
serve({
  name: 'talkative',
  capabilities: { tools: {}, logging: {} },
  on: {
    'logging/setLevel': ({ params }) => {
      told = params.level;
      return {};
    },
  },
  tools: {
    say: {
      run: ({ level = 'info', text: data = 'hello', count = 1 }) => {
        for (let at = 0; at < count; at += 1)
          send({ method: 'notifications/message', params: { level, logger: 'boat', data } });
        return text('said');
      },
    },
    level: { run: () => text(String(told)) },
  },
});
