// The files of a workspace that may declare servers: where they are and in whose shape they are written. Data.
import type { FileShape } from '../../../schema/config/workspace-file.ts';

export interface FileKind extends FileShape {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Whether variables of VS Code's (`${userHome}` and the like) are known there. */
  readonly isEditors: boolean;
}

/**
 * In the order in which they count: of two trusted servers of one name the first is used. Every agent that reads these
 * starts their servers in the workspace's root, also where the file itself is in a folder below it.
 */
export const FILE_KINDS: readonly FileKind[] = [
  { path: '.metad/config.json', key: 'mcpServers', quiet: [], isOwn: true, isEditors: false },
  // Claude Code, Copilot CLI and VS Code.
  {
    path: '.mcp.json',
    key: 'mcpServers',
    quiet: ['alwaysLoad', 'tools', 'deferTools'],
    isOwn: false,
    isEditors: false,
  },
  { path: '.cursor/mcp.json', key: 'mcpServers', quiet: ['auth'], isOwn: false, isEditors: true },
  {
    path: '.vscode/mcp.json',
    key: 'servers',
    quiet: ['dev', 'gallery', 'version', 'sandbox', 'sandboxEnabled', 'oauth'],
    isOwn: false,
    isEditors: true,
  },
];
