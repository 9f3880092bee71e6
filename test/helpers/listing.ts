// A listing of a made-up server.
import type { Listing } from '../../schema/tool.ts';

export const testListing = (key: string, change: Partial<Listing> = {}): Listing => ({
  key,
  server: `server of ${key}`,
  tools: [
    { name: 'read_file', description: 'naïve — 漢字 🧪', inputSchema: { type: 'object' } },
    { name: 'odd', inputSchema: true },
  ],
  instructions: 'be kind',
  serverInfo: { name: 's', version: '1' },
  protocolVersion: '2025-11-25',
  freshness: 'confirmed',
  listedAt: Date.now(),
  warnings: [],
  ...change,
});
