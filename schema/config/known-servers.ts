// Well-known published servers whose sharing can be told from what they are. Data: one entry a package, with its reason.
// `user` is only for servers that keep nothing of a caller and read no folder; whoever is in doubt leaves an entry out.
import type { Sharing } from '../config.ts';

export interface KnownServer {
  /** Names in the npm registry, in PyPI, or of a container image. */
  readonly names: readonly string[];
  readonly sharing: Exclude<Sharing, 'workspace'>;
  /** Fits after "since ". */
  readonly reason: string;
}

const BROWSER = 'it drives one browser, whose pages and logins belong to whoever opened them';
const DOCUMENTS = 'it looks up public documentation and keeps nothing between calls';
const SEARCH = 'each call is one request to a search service and nothing is kept between calls';

export const KNOWN_SERVERS: readonly KnownServer[] = [
  { names: ['@playwright/mcp', 'mcp/playwright'], sharing: 'session', reason: BROWSER },
  { names: ['@executeautomation/playwright-mcp-server'], sharing: 'session', reason: BROWSER },
  { names: ['chrome-devtools-mcp'], sharing: 'session', reason: BROWSER },
  { names: ['@modelcontextprotocol/server-puppeteer', 'mcp/puppeteer'], sharing: 'session', reason: BROWSER },
  { names: ['puppeteer-mcp-server'], sharing: 'session', reason: BROWSER },
  { names: ['@browserbasehq/mcp-server-browserbase'], sharing: 'session', reason: BROWSER },
  { names: ['@agentdeskai/browser-tools-mcp'], sharing: 'session', reason: BROWSER },
  {
    names: ['@modelcontextprotocol/server-sequential-thinking', 'mcp/sequentialthinking'],
    sharing: 'session',
    reason: 'it keeps one chain of thoughts, which two sessions would mix',
  },
  {
    names: ['@wonderwhy-er/desktop-commander'],
    sharing: 'session',
    reason: 'it keeps the terminals and searches that its caller has open',
  },
  {
    names: ['@upstash/context7-mcp', 'mcp/context7'],
    sharing: 'user',
    reason: DOCUMENTS,
  },
  { names: ['@mui/mcp'], sharing: 'user', reason: DOCUMENTS },
  { names: ['@chakra-ui/react-mcp'], sharing: 'user', reason: DOCUMENTS },
  { names: ['@shopify/dev-mcp'], sharing: 'user', reason: DOCUMENTS },
  { names: ['mcp-server-time', 'mcp/time'], sharing: 'user', reason: 'it computes times from its arguments alone' },
  {
    names: ['mcp-server-fetch', 'mcp/fetch'],
    sharing: 'user',
    reason: 'each call fetches one address and nothing is kept between calls',
  },
  { names: ['tavily-mcp', 'mcp/tavily'], sharing: 'user', reason: SEARCH },
  { names: ['exa-mcp-server', 'mcp/exa'], sharing: 'user', reason: SEARCH },
  {
    names: ['@brave/brave-search-mcp-server', '@modelcontextprotocol/server-brave-search'],
    sharing: 'user',
    reason: SEARCH,
  },
  { names: ['mcp-searxng'], sharing: 'user', reason: SEARCH },
  {
    names: ['@modelcontextprotocol/server-google-maps'],
    sharing: 'user',
    reason: 'each call is one request to a map service and nothing is kept between calls',
  },
];
