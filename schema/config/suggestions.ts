// Well-known published servers and the dependency that makes each useful. Data: nothing of it runs before a person adds
// it. `source` is where the command stands; how each is shared is said by known-servers.ts and the defaults.
export interface SuggestedServer {
  readonly name: string;
  /** What an agent can do with it: fits after the name and a colon. */
  readonly about: string;
  /** Packages of which a workspace needs one, as `depends-on` of a plugin. */
  readonly dependsOn: readonly string[];
  /** Further conditions, as `predicates` of a plugin. */
  readonly predicates?: readonly string[];
  /** As in `mcpServers`. References are to variables that the person has to set. */
  readonly entry: SuggestedEntry;
  readonly source: string;
}

export type SuggestedEntry =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string };

/** Run by npx from the npm registry. */
const npx = (words: string, env: readonly string[] = []): SuggestedEntry => ({
  command: 'npx',
  args: ['-y', ...words.split(' ')],
  ...(env.length === 0 ? {} : { env: passed(env) }),
});

/** Run by uvx from PyPI. */
const uvx = (words: string, env: readonly string[] = []): SuggestedEntry => ({
  command: 'uvx',
  args: words.split(' '),
  ...(env.length === 0 ? {} : { env: passed(env) }),
});

const passed = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `\${${name}}`]));

/** Any workspace: what else is asked for decides. */
const ANY = ['*'];

export const SUGGESTED_SERVERS: readonly SuggestedServer[] = [
  {
    name: 'prisma',
    about: 'state of migrations, new migrations, Prisma Postgres databases',
    dependsOn: ['npm:prisma >= 6.6', 'npm:@prisma/client >= 6.6'],
    entry: npx('prisma mcp'),
    source: 'https://www.prisma.io/docs/postgres/integrations/mcp-server',
  },
  {
    name: 'next-devtools',
    about: 'errors, routes and logs of a running Next.js, its documentation and upgrades',
    dependsOn: ['npm:next >= 16'],
    entry: npx('next-devtools-mcp@latest'),
    source: 'https://github.com/vercel/next-devtools-mcp',
  },
  {
    name: 'angular',
    about: 'best practices, documentation and examples of Angular, and its projects',
    dependsOn: ['npm:@angular/core >= 20.2'],
    entry: npx('@angular/cli mcp'),
    source: 'https://angular.dev/ai/mcp',
  },
  {
    name: 'nx',
    about: 'the project graph, generators and documentation of Nx',
    dependsOn: ['npm:nx', 'npm:@nx/workspace'],
    entry: npx('nx-mcp@latest'),
    source: 'https://nx.dev/getting-started/ai-setup',
  },
  {
    name: 'storybook',
    about: 'the stories and components of a running Storybook',
    dependsOn: ['npm:@storybook/addon-mcp'],
    entry: { url: 'http://localhost:6006/mcp' },
    source: 'https://github.com/storybookjs/storybook/tree/next/code/addons/mcp',
  },
  {
    name: 'playwright',
    about: 'a browser that the agent drives',
    dependsOn: ['npm:@playwright/test', 'npm:playwright', 'pypi:playwright', 'pypi:pytest-playwright'],
    entry: npx('@playwright/mcp@latest'),
    source: 'https://github.com/microsoft/playwright-mcp',
  },
  {
    name: 'eslint',
    about: 'linting of files with the rules of the project',
    dependsOn: ['npm:eslint >= 9'],
    entry: npx('@eslint/mcp@latest'),
    source: 'https://eslint.org/docs/latest/use/mcp',
  },
  {
    name: 'svelte',
    about: 'documentation of Svelte and SvelteKit, and fixes for components',
    dependsOn: ['npm:svelte >= 5', 'npm:@sveltejs/kit'],
    entry: npx('@sveltejs/mcp'),
    source: 'https://svelte.dev/docs/mcp/local-setup',
  },
  {
    name: 'supabase',
    about: 'tables, queries, logs and documentation of a Supabase project, read only',
    dependsOn: ['npm:@supabase/supabase-js', 'npm:supabase', 'pypi:supabase', 'pub:supabase_flutter'],
    entry: npx('@supabase/mcp-server-supabase@latest --read-only', ['SUPABASE_ACCESS_TOKEN']),
    source: 'https://github.com/supabase/mcp',
  },
  {
    name: 'mongodb',
    about: 'collections, schemas and queries of a MongoDB, read only',
    dependsOn: ['npm:mongodb', 'npm:mongoose', 'pypi:pymongo', 'pypi:motor', 'cargo:mongodb', 'rubygems:mongoid'],
    entry: npx('mongodb-mcp-server@latest --readOnly', ['MDB_MCP_CONNECTION_STRING']),
    source: 'https://github.com/mongodb-js/mongodb-mcp-server',
  },
  {
    name: 'postgres',
    about: 'schema, queries, explain plans and health of a PostgreSQL, read only',
    dependsOn: [
      ...['npm:pg', 'npm:postgres', 'pypi:psycopg', 'pypi:psycopg2', 'pypi:psycopg2-binary', 'pypi:asyncpg'],
      ...['cargo:sqlx', 'cargo:tokio-postgres', 'cargo:diesel', 'go:github.com/jackc/pgx/v5', 'rubygems:pg'],
    ],
    entry: uvx('postgres-mcp --access-mode=restricted', ['DATABASE_URI']),
    source: 'https://github.com/crystaldba/postgres-mcp',
  },
  {
    name: 'redis',
    about: 'keys, structures and vectors of a Redis',
    dependsOn: ['npm:redis', 'npm:ioredis', 'pypi:redis', 'cargo:redis', 'go:github.com/redis/go-redis/v9'],
    entry: uvx('--from redis-mcp-server@latest redis-mcp-server --url ${REDIS_URL}'),
    source: 'https://github.com/redis/mcp-redis',
  },
  {
    name: 'stripe',
    about: 'customers, payments and documentation of Stripe',
    dependsOn: ['npm:stripe', 'pypi:stripe', 'rubygems:stripe', 'composer:stripe/stripe-php', 'nuget:Stripe.net'],
    entry: npx('@stripe/mcp', ['STRIPE_SECRET_KEY']),
    source: 'https://github.com/stripe/ai/tree/main/tools/modelcontextprotocol',
  },
  {
    name: 'sentry',
    about: 'issues, events and releases of Sentry',
    dependsOn: [
      ...['npm:@sentry/node', 'npm:@sentry/nextjs', 'npm:@sentry/react', 'npm:@sentry/browser', 'npm:@sentry/vue'],
      ...['pypi:sentry-sdk', 'rubygems:sentry-ruby', 'cargo:sentry', 'composer:sentry/sentry-laravel'],
    ],
    entry: npx('@sentry/mcp-server@latest', ['SENTRY_ACCESS_TOKEN']),
    source: 'https://github.com/getsentry/sentry-mcp',
  },
  {
    name: 'nuxt-dev',
    about: 'routes, components and configuration of a running Nuxt',
    dependsOn: ['npm:nuxt-mcp', 'npm:nuxt-mcp-dev'],
    entry: { url: 'http://localhost:3000/__mcp/sse' },
    source: 'https://github.com/antfu/nuxt-mcp-dev',
  },
  {
    name: 'vue-dev',
    about: 'components, state and routes of a running Vue application',
    dependsOn: ['npm:vite-plugin-vue-mcp'],
    entry: { url: 'http://localhost:5173/__mcp/sse' },
    source: 'https://github.com/webfansplz/vite-plugin-vue-mcp',
  },
  {
    name: 'astro-docs',
    about: 'documentation of Astro',
    dependsOn: ['npm:astro'],
    entry: { url: 'https://mcp.docs.astro.build/mcp' },
    source: 'https://docs.astro.build/en/guides/build-with-ai/',
  },
  {
    name: 'mui',
    about: 'documentation and examples of Material UI',
    dependsOn: ['npm:@mui/material', 'npm:@mui/x-data-grid'],
    entry: npx('@mui/mcp@latest'),
    source: 'https://mui.com/material-ui/getting-started/mcp/',
  },
  {
    name: 'chakra',
    about: 'components, tokens and examples of Chakra UI',
    dependsOn: ['npm:@chakra-ui/react >= 3'],
    entry: npx('@chakra-ui/react-mcp'),
    source: 'https://chakra-ui.com/docs/get-started/ai/mcp-server',
  },
  {
    name: 'shadcn',
    about: 'components of the registries that the project uses',
    dependsOn: ANY,
    predicates: ['path_exists(./components.json)'],
    entry: npx('shadcn@latest mcp'),
    source: 'https://ui.shadcn.com/docs/mcp',
  },
  {
    name: 'convex',
    about: 'tables, functions and logs of a Convex deployment',
    dependsOn: ['npm:convex'],
    entry: npx('convex@latest mcp start'),
    source: 'https://docs.convex.dev/ai/convex-mcp-server',
  },
  {
    name: 'firebase',
    about: 'projects, Firestore, authentication and rules of Firebase',
    dependsOn: ['npm:firebase', 'npm:firebase-admin', 'pub:firebase_core', 'pypi:firebase-admin'],
    entry: npx('firebase-tools@latest mcp'),
    source: 'https://firebase.google.com/docs/ai-assistance/mcp-server',
  },
  {
    name: 'mastra-docs',
    about: 'documentation and examples of Mastra',
    dependsOn: ['npm:@mastra/core'],
    entry: npx('@mastra/mcp-docs-server@latest'),
    source: 'https://mastra.ai/docs/getting-started/mcp-docs-server',
  },
  {
    name: 'shopify-dev',
    about: 'documentation and API schemas of Shopify',
    dependsOn: [
      'npm:@shopify/shopify-api',
      'npm:@shopify/hydrogen',
      'npm:@shopify/app-bridge-react',
      'npm:@shopify/polaris',
    ],
    entry: npx('@shopify/dev-mcp@latest'),
    source: 'https://shopify.dev/docs/apps/build/devmcp',
  },
  {
    name: 'pinecone',
    about: 'indexes, records and documentation of Pinecone',
    dependsOn: ['npm:@pinecone-database/pinecone', 'pypi:pinecone'],
    entry: npx('@pinecone-database/mcp', ['PINECONE_API_KEY']),
    source: 'https://docs.pinecone.io/guides/operations/mcp-server',
  },
  {
    name: 'qdrant',
    about: 'storing and finding memories in a Qdrant collection',
    dependsOn: ['npm:@qdrant/js-client-rest', 'pypi:qdrant-client', 'cargo:qdrant-client'],
    entry: uvx('mcp-server-qdrant', ['QDRANT_URL', 'COLLECTION_NAME']),
    source: 'https://github.com/qdrant/mcp-server-qdrant',
  },
  {
    name: 'chroma',
    about: 'collections and documents of Chroma',
    dependsOn: ['npm:chromadb', 'pypi:chromadb'],
    entry: uvx('chroma-mcp'),
    source: 'https://github.com/chroma-core/chroma-mcp',
  },
  {
    name: 'dbt',
    about: 'models, lineage and runs of a dbt project',
    dependsOn: ['pypi:dbt-core', 'pypi:dbt-postgres', 'pypi:dbt-snowflake', 'pypi:dbt-bigquery'],
    entry: { command: 'uvx', args: ['dbt-mcp'], env: { DBT_PROJECT_DIR: '${workspaceFolder}' } },
    source: 'https://github.com/dbt-labs/dbt-mcp',
  },
  {
    name: 'aws-docs',
    about: 'documentation of AWS',
    dependsOn: [
      'npm:aws-cdk-lib',
      'npm:@aws-sdk/client-s3',
      'pypi:boto3',
      'cargo:aws-sdk-s3',
      'go:github.com/aws/aws-sdk-go-v2',
    ],
    entry: uvx('awslabs.aws-documentation-mcp-server@latest'),
    source: 'https://github.com/awslabs/mcp/tree/main/src/aws-documentation-mcp-server',
  },
  {
    name: 'azure',
    about: 'resources and services of Azure',
    dependsOn: ['npm:@azure/identity', 'pypi:azure-identity', 'nuget:Azure.Identity'],
    entry: npx('@azure/mcp@latest server start'),
    source: 'https://github.com/microsoft/mcp/tree/main/servers/Azure.Mcp.Server',
  },
  {
    name: 'salesforce',
    about: 'orgs, metadata, data and tests of Salesforce',
    dependsOn: ANY,
    predicates: ['path_exists(./sfdx-project.json)'],
    entry: npx('@salesforce/mcp --orgs DEFAULT_TARGET_ORG --toolsets orgs,metadata,data'),
    source: 'https://github.com/salesforcecli/mcp',
  },
  {
    name: 'circleci',
    about: 'failures, flaky tests and pipelines of CircleCI',
    dependsOn: ANY,
    predicates: ['path_exists(.circleci/config.yml)'],
    entry: npx('@circleci/mcp-server-circleci@latest', ['CIRCLECI_TOKEN']),
    source: 'https://github.com/CircleCI-Public/mcp-server-circleci',
  },
  {
    name: 'browserstack',
    about: 'tests on real browsers and devices of BrowserStack',
    dependsOn: ['npm:browserstack-node-sdk', 'npm:browserstack-cypress-cli', 'pypi:browserstack-sdk'],
    entry: npx('@browserstack/mcp-server@latest', ['BROWSERSTACK_USERNAME', 'BROWSERSTACK_ACCESS_KEY']),
    source: 'https://github.com/browserstack/mcp-server',
  },
  {
    name: 'laravel-boost',
    about: 'routes, schema, logs and documentation of a Laravel application',
    dependsOn: ['composer:laravel/boost'],
    entry: { command: 'php', args: ['artisan', 'boost:mcp'] },
    source: 'https://github.com/laravel/boost',
  },
  {
    name: 'tidewave-phoenix',
    about: 'code, logs and database of a running Phoenix application',
    dependsOn: ['hex:tidewave'],
    entry: { url: 'http://localhost:4000/tidewave/mcp' },
    source: 'https://hexdocs.pm/tidewave/mcp.html',
  },
  {
    name: 'tidewave-rails',
    about: 'code, logs and database of a running Rails application',
    dependsOn: ['rubygems:tidewave'],
    entry: { url: 'http://localhost:3000/tidewave/mcp' },
    source: 'https://hexdocs.pm/tidewave/mcp.html',
  },
  {
    name: 'dart',
    about: 'analysis, tests, packages and running applications of Dart and Flutter',
    dependsOn: ANY,
    predicates: ['path_exists(./pubspec.yaml)'],
    entry: { command: 'dart', args: ['mcp-server'] },
    source: 'https://dart.dev/tools/mcp-server',
  },
  {
    name: 'gopls',
    about: 'symbols, references, diagnostics and documentation of Go code',
    dependsOn: ANY,
    predicates: ['path_exists(./go.mod)'],
    entry: { command: 'gopls', args: ['mcp'] },
    source: 'https://go.dev/gopls/features/mcp',
  },
];
