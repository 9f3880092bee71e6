// A server whose tools give content parts: a real PNG of at least 420 KB (noise, stored uncompressed), a sound, resources.
import { crc32, deflateSync } from 'node:zlib';
import { serve } from './serve.mjs';

const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
};

/** Greyscale, 8 bits; the pixels are counted so that the file has `bytes` bytes, about. */
const png = (bytes, seed) => {
  const side = Math.ceil(Math.sqrt(bytes));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 8;
  let state = seed;
  const rows = Buffer.alloc(side * (side + 1));
  for (let at = 0; at < rows.length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    rows[at] = at % (side + 1) === 0 ? 0 : state >>> 16;
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const shots = new Map();
const shot = (seed) => {
  if (!shots.has(seed)) shots.set(seed, png(420 * 1024, seed).toString('base64'));
  return { type: 'image', data: shots.get(seed), mimeType: 'image/png' };
};
const note = { type: 'text', text: 'a shot of the harbour' };

serve({
  name: 'pictures',
  tools: {
    shot: { run: ({ seed = 1 }) => ({ content: [shot(seed)] }) },
    noted: { run: ({ seed = 1 }) => ({ content: [note, shot(seed)] }) },
    sound: {
      run: () => ({
        content: [{ type: 'audio', data: Buffer.alloc(2000, 3).toString('base64'), mimeType: 'audio/wav' }],
      }),
    },
    page: {
      run: () => ({
        content: [
          { type: 'resource', resource: { uri: 'doc://page', mimeType: 'text/plain', text: 'the page' } },
          { type: 'resource_link', uri: 'doc://next', name: 'next page' },
        ],
      }),
    },
    broken: { run: () => ({ content: [{ type: 'text', text: 'the lens is dirty' }, shot(1)], isError: true }) },
  },
});
