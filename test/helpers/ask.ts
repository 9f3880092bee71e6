// One plain HTTP request over a Unix socket.
import { request } from 'node:http';

/** The body of the reply; rejects with the socket's error where nobody answers. */
export const askSocket = (socketPath: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
    });
    asked.on('error', reject);
    asked.end();
  });
