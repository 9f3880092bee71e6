// library: resources. `book:///a` and `book:///b`, template `page:///{number}`; reading gives a
// text. `change {uri, count}` sends that many updates; `seen` gives the subscriptions' requests as [method, uri].
import { send, serve, text } from './serve.mjs';

const seen = [];
const note = ({ method, params }) => {
  seen.push([method, params.uri]);
  return {};
};
serve({
  name: 'library',
  capabilities: { tools: {}, resources: { subscribe: true } },
  on: {
    'resources/list': () => ({
      resources: [
        { uri: 'book:///a', name: 'a' },
        { uri: 'book:///b', name: 'b' },
      ],
    }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'page:///{number}', name: 'page' }] }),
    'resources/read': ({ params: { uri } }) => ({ contents: [{ uri, text: `the text of ${uri}` }] }),
    'resources/subscribe': note,
    'resources/unsubscribe': note,
  },
  tools: {
    change: {
      run: ({ uri = 'book:///a', count = 1 }) => {
        for (let at = 0; at < count; at += 1) send({ method: 'notifications/resources/updated', params: { uri } });
        return text('changed');
      },
    },
    seen: { run: () => text(seen) },
  },
});
