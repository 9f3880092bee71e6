// The thread in which lockfiles are read and parsed: a large one takes hundreds of ms.
import { parentPort } from 'node:worker_threads';
import { READERS } from '../lockfiles/readers.ts';
import { filesOf } from './disk.ts';
import type { Answer, Order } from './messages.ts';
import { survey } from './survey.ts';

parentPort?.on('message', ({ number, root, kept }: Order) => {
  const findings = survey(READERS, filesOf(root), kept);
  const answer: Answer = {
    number,
    findings: findings.map((finding) => (kept.includes(finding) ? finding.id : finding)),
  };
  parentPort?.postMessage(answer);
});
