// eliciting: asks the client during a call and gives what came back, `{result}` or `{error}`. `form`, `url`, `sample`,
// `roots`; `hesitate {ms}` asks `form` only after that time; `later {ms, which: [form | …]}` answers at once and asks outside of any call after that time; `answers` gives what came
// back then; `notices` counts roots/list_changed; `capabilities` gives what the client declared.
import { ask, serve, text } from './serve.mjs';

const QUESTIONS = {
  form: [
    'elicitation/create',
    { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
  ],
  url: ['elicitation/create', { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e1' }],
  sample: [
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 },
  ],
  roots: ['roots/list', {}],
};
const answers = [];
let notices = 0;
let declared;

const put = (which) =>
  ask(...QUESTIONS[which]).then(
    (result) => ({ result }),
    ({ code, message }) => ({ error: { code, message } }),
  );

serve({
  name: 'eliciting',
  on: {
    initialize: ({ params }) => {
      declared = params.capabilities;
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'eliciting', version: '1.0.0' },
      };
    },
  },
  onNotification: ({ method }) => {
    if (method === 'notifications/roots/list_changed') notices += 1;
  },
  tools: {
    ...Object.fromEntries(Object.keys(QUESTIONS).map((which) => [which, { run: async () => text(await put(which)) }])),
    hesitate: {
      run: async ({ ms = 300 }) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return text(await put('form'));
      },
    },
    later: {
      run: ({ ms = 50, which = ['form'] }) => {
        setTimeout(async () => answers.push(...(await Promise.all(which.map(put)))), ms);
        return text('later');
      },
    },
    answers: { run: () => text(answers) },
    notices: { run: () => text(String(notices)) },
    capabilities: { run: () => text(declared) },
  },
});
