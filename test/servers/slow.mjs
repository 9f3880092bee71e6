// slow: `hang` never answers and notes its cancel; `cancels` gives the cancels seen as [{requestId, reason}]; `wait {ms}`
// answers after that time, cancelled or not; `progress {steps, ms}` reports progress if asked to, then answers.
import { send, serve, text } from './serve.mjs';

const cancels = [];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

serve({
  name: 'slow',
  onNotification: ({ method, params }) => {
    if (method === 'notifications/cancelled') cancels.push(params);
  },
  tools: {
    hang: { run: () => undefined },
    cancels: { run: () => text(cancels) },
    wait: { run: ({ ms = 100 }) => sleep(ms).then(() => text(`waited ${ms}`)) },
    progress: {
      run: async ({ steps = 3, ms = 10 }, { params }) => {
        const progressToken = params._meta?.progressToken;
        for (let progress = 1; progress <= steps; progress += 1) {
          await sleep(ms);
          if (progressToken !== undefined) {
            send({ method: 'notifications/progress', params: { progressToken, progress, total: steps } });
          }
        }
        return text(progressToken === undefined ? 'no token' : 'token');
      },
    },
  },
});
