// bytewise: writes every reply one byte per write; `say {text?}` gives `naïve — 漢字 🧪` or the text.
import { writeSync } from 'node:fs';
import { serve, text } from './serve.mjs';

process.stdout.write = (line) => {
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; at += 1) {
    for (;;) {
      try {
        writeSync(1, bytes, at, 1);
        break;
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  }
  return true;
};
serve({ name: 'bytewise', tools: { say: { run: (args) => text(args.text ?? 'naïve — 漢字 🧪') } } });
