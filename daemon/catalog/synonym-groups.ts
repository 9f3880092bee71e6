// Groups of words that may stand for each other in a task and in a tool's text: computing, offices and everyday life.
// File formats are among them, single servers and products are not. What was known when they were written: see
// test/golden/search/README.md.

/** Groups stand between dots; `-` joins the words of a phrase. */
export const GROUPS = `
  list show get fetch retrieve read view see display check look describe
  find search lookup query locate discover explore · create add make new insert write generate compose
  put set write upsert store save upload insert · open start launch begin run
  run execute start trigger invoke launch perform · stop end cancel terminate kill close halt abort
  close complete finish done resolve · delete remove erase drop clear forget uninstall destroy purge discard revoke
  update change edit modify set alter adjust patch · spin-up create provision launch start
  provision create allocate · mail send write · strong secure · tick check complete mark · rename name title
  move drag relocate transfer · copy duplicate clone replicate fork · send post push deliver notify
  broadcast announce everyone followers · reply answer respond · accept decline reject respond rsvp
  approve accept confirm sign-off · merge combine join · attach upload add · download save export fetch
  upload import attach · deploy release publish ship roll-out rollout promote · sync synchronize refresh
  undo revert rollback roll-back restore back previous older · restart reboot rerun again retry · retry rerun again
  enable activate turn-on on · disable deactivate turn-off off block suspend · lock protect freeze
  share invite permission access grant · permission access policy role iam rights grant · invite add member
  assign owner assignee responsible · check validate verify lint valid inspect test
  validate verify lint mistakes errors syntax · compare diff difference match versus
  convert transform turn translate · translate convert · summarize summary overview
  analyze analysis inspect examine investigate · explain understand describe meaning
  monitor watch observe follow track · schedule cron recurring hourly every timer periodic · schedule plan
  mute silence snooze downtime suppress · alert alarm alerts notification monitor · archive hide
  subscribe follow watch · click tap press · type enter fill · scroll swipe · rotate orientation landscape portrait
  emulate simulate pretend mock override throttle · screenshot screen picture image capture
  record recording capture video · image picture photo icon logo artwork · video movie clip film
  text word words content ocr · document doc file page paper · paper article publication study literature
  article post blog · citation reference bibtex bibliography cite · folder directory · file document
  tree structure hierarchy nested · hierarchy organization organisation reports · email mail message inbox
  inbox email mail · message chat text sms dm · sms message text · call phone ring dial
  phone mobile device smartphone · channel room conversation · history recent last past log activity audit
  recent latest last newest · log logs output console stdout trace
  error errors failure exception crash fail failed failing broken problem
  fail failed failure broke broken red error · crash crashes exception · bug issue defect problem
  issue ticket bug story task · ticket issue · task todo to-do item card · card item task ticket · column list status
  row record entry item · record row entry · table sheet dataset · spreadsheet sheet excel workbook
  worksheet sheet tab · database db sql postgres · schema columns structure ddl definition · schema definition
  sql query statement · slow slowest performance latency outliers · performance speed slow latency load
  stuck blocked waiting deadlock lock · memory ram heap · cpu memory resource usage consumption
  replica replicas scale instances · scale replicas more instances resize · node machine host server
  server host machine instance · vm virtual-machine instance server vps · container docker image pod · pod container
  cluster kubernetes k8s · deployment deploy release · build pipeline ci job run · pipeline build ci workflow
  job task run · workflow pipeline automation · test spec case · flaky intermittent unstable sometimes · branch fork
  commit change revision · version revision release · pr pull-request merge-request · mr merge-request pull-request
  merge-request mr · repo repository project · repository repo · code source · symbol function variable method
  function method procedure · definition declared declaration defined · references usages uses used
  caller callers incoming calls · called callees outgoing · flag toggle feature · blame touched author
  comment note remark reply · note comment · notes memo · meeting event appointment · calendar agenda schedule
  free available availability busy freebusy · today due day · tomorrow date · overdue due late deadline
  time clock timezone hour · timezone timezones clock · user account person people member profile
  people users members persons · person user contact entity · somebody user person · colleague user teammate member
  customer client buyer · contact person · team group organization · group team · member user collaborator
  password secret credential · secret credential key token password · token jwt key
  login sign-in signin authenticate auth · auth authentication login · logout sign-out · certificate ssl tls cert
  domain hostname dns · dns domain nameserver · website site web page · page website url · url link address
  link url connection · connection connect url · checksum hash digest · encrypt cipher · random generate
  money payment balance amount funds · balance money funds · price cost amount · cost price budget expense
  refund money-back return reimburse · invoice bill · payment pay charge · subscription plan recurring membership
  plan subscription · pay payment checkout · coupon discount · product item · order purchase · buy purchase order
  stay listing accommodation hotel rental · place location · location place gps position geolocation coordinates
  map maps location · route directions path · directions route navigate way · bike bicycle cycling ride bicycling
  ride activity · run activity · workout training session exercise · exercise workout · weight body measurement
  distance miles kilometres kilometers length unit · unit convert conversion · weather forecast rain temperature
  recipe meal dish food cook · chart graph plot diagram · diagram chart drawing · drawing draw diagram sketch
  pie slices proportion share · funnel conversion stages drop-off · flowchart flow process · graph network relations
  node entity · entity person thing object · fact observation · remember memory observation store
  knowledge memory graph · vector embedding embeddings · embedding vector · rank rerank relevance order
  sort order filter · filter rule · rule filter policy · label tag category · tag label · emoji reaction thumbs-up
  reaction emoji like · thread conversation replies · mention mentioned tagged · spam junk · newsletter mailing
  quota limit remaining left usage · left remaining quota · limit quota · count number many how-many
  metrics statistics stats measurements · statistics stats metrics · report summary statistics · dashboard overview
  vulnerability vulnerabilities security cve · security vulnerability advisory
  advice advisor recommendation suggestion · suggest recommend idea · accessibility a11y wcag · seo keyword ranking
  browser chrome tab · network request traffic · proxy tunnel port · tunnel port forwarding · service daemon
  service application · command shell bash · shell terminal command exec bash · remote ssh · backup snapshot dump
  snapshot backup · cache caching · key-value kv · bucket storage · storage bucket object blob · queue message
  topic queue · webhook callback · environment env variable · variable env setting
  config configuration settings setup · settings configuration preferences config · template boilerplate
  library package dependency · docs documentation guide manual · documentation docs · example sample snippet
  ip address · firewall rule · region location zone · maintenance downtime · hours time worklog
  sprint iteration cycle · epic milestone · milestone version · subtask piece smaller child · checklist step item
  board project · project workspace · space workspace · app application · install setup · admin administrator
  see view look inspect · tell-me get describe show · browse list explore · enumerate list · pull fetch get download
  grab get capture fetch · obtain get retrieve · gather collect · pick select choose · fill write populate enter
  populate fill seed · append add · put-in add insert · extend increase expand · raise increase
  lower decrease reduce · shrink reduce compress minify · compress zip archive optimize · unzip extract decompress
  extract parse get · parse extract read · split divide separate · divide split · bundle group package combine
  gather group · together group bulk batch · at-once bulk batch · batch bulk multiple · several multiple bulk
  each every bulk · swap replace exchange · replace substitute update · fix repair resolve correct patch
  correct fix · clean cleanup purge prune · tidy cleanup format · prune cleanup · wipe clear erase delete
  empty clear · throw-away delete trash discard · bin trash delete · trash delete · kick-off start trigger
  kick-out remove · fire trigger · switch change toggle set · toggle switch enable · pause suspend hold stop
  resume continue unpause · continue resume · wait delay sleep · tie link connect associate
  link associate relate connect · attach associate link · detach unlink disconnect · connect link join attach
  register create signup add · sign-up register · unsubscribe remove cancel · let allow enable permit
  allow permit whitelist grant · forbid deny block · ban block · block deny ban · guess predict estimate
  predict forecast estimate · estimate predict · measure benchmark measurement · rate score rating
  rating score review stars · review feedback rating · feedback review survey · vote poll · survey poll form
  form survey questionnaire · ask query question prompt · question ask · talk chat message conversation
  say comment reply message post · tell send notify message · inform notify · warn alert · ping check health
  alive health status · healthy health status · health status diagnostics · diagnostics errors problems issues
  diagnose debug troubleshoot analyze · debug troubleshoot diagnose · clear-up clarify · figure-out analyze
  what-if simulate · behave test emulate · offline network internet · internet network web online
  online web internet · linter lint · style format lint · format prettify formatting · prettify format
  refactor rename restructure · compile build · type-errors diagnostics · warnings diagnostics · language-server lsp
  autocomplete completion · completion complete suggest · dry-run preview simulate · preview dry-run draft
  sandbox isolated playground · script code command · snippet code example · program application app
  bot chatbot assistant · agent assistant bot · assistant agent · ai model llm · llm model · prompt instructions
  training train · train training finetune · inference predict prediction run · autonomous autopilot auto automatic
  automatic auto · loop iteration cycle · rounds iterations · round iteration · attempt effort try
  climb segment hill · race event · running run · pace speed · steps activity · heart-rate hr · lift exercise
  gym workout · sport activity · calories energy nutrition · nutrition food · ingredients recipe · dinner meal recipe
  lunch meal · restaurant place food · nearby around near · close-by nearby · walk walking directions
  drive driving directions · car driving vehicle · train transit · bus transit · transit transport
  travel trip route · trip travel itinerary · flight airline · airport flight · holiday vacation
  flat apartment listing property · apartment property listing · house property home · property listing
  room listing · amenities details facilities · check-in arrival · checkout departure · reservation booking
  booking reservation appointment · book reserve · altitude elevation · height elevation · address geocode
  postcode address zip · country region · math calculate calculation · calculate compute math evaluate
  compute calculate · arithmetic calculate math · sum add total · plus add sum · total sum · average mean
  median statistics · deviation statistics variance · numbers math values · formula expression equation
  equation solve math · expression formula · percent percentage · probability random · dice random
  currency exchange · exchange rate conversion · stock share ticker quote · tax vat · salary payroll
  expense cost receipt · receipt invoice expense · accounting ledger journal · ledger journal · bank account transfer
  debit charge · shipping delivery · parcel shipment · shipment shipping tracking · inventory stock
  warehouse inventory · catalogue catalog products · catalog products · cart basket · shop store
  seller merchant vendor · supplier vendor · lead prospect contact · prospect lead · deal opportunity
  company organization account · business company organization · firm company · client customer · employee staff user
  staff employee · manager supervisor · boss manager · department team · hire candidate · applicant candidate
  vacancy job · audience segment list · segment audience · campaign newsletter · marketing campaign · advert ad
  advertisement ad · traffic visits analytics visitors · visitors traffic analytics · visits traffic
  analytics statistics insights · insights analytics · backlinks links · headline title
  meta-description metadata seo · metadata meta properties attributes · meta metadata
  properties attributes metadata · attribute property field · field property column attribute
  column field migration · alter migration ddl · migration schema alter · key index · constraint key · join relation
  relation relationship link · relationship relation · count aggregate query · aggregate group count
  explain-plan analyze · rows records query · dump export · restore import · seed data · replication replica
  failover replica standby · postgres postgresql sql · postgresql postgres · xlsx excel spreadsheet workbook
  xls excel · cell range · cells range sheet · range cells · docx word · pptx presentation slides powerpoint
  slide presentation · slides presentation · deck presentation slides · csv table · pdf document · font typography
  color palette · colour color · layout design · mockup design · wireframe design · icon image svg
  icons images svg assets · asset file media · assets files media · media image asset file · picture photo image
  crop transform resize · resize scale size · pixels size width · pixel size width · dimensions size · square aspect
  rotate transform · thumbnail image preview · gif animation · animation animate · subtitle caption transcript
  transcript transcription subtitles · transcribe transcription speech · speech audio voice · audio sound
  song music track · music song audio · listen play · play start · voiceover speech tts
  whiteboard canvas drawing diagram · canvas drawing · sketch drawing · shape element · arrow connector
  box rectangle · hierarchy tree · outline structure · mind-map mindmap · timeline gantt · window viewport size
  fullscreen window · desktop window · mouse click cursor · cursor mouse · keyboard key press · button element click
  element selector · dropdown select option · option choice · checkbox check · form-field input · input field form
  popup dialog · dialog alert popup · cookie storage session · cookies storage · local-storage storage
  session login · javascript script evaluate · js javascript · html dom page · dom snapshot html · visible snapshot
  scrape crawl extract · crawl scrape spider · crawler crawl · sitemap map · feed rss · headers request
  header request · endpoint api route path · api endpoint · openapi swagger spec · spec specification schema
  specification spec · body payload request · payload body · parameters schema arguments · response reply answer
  status-code response · intercept mock route · mock stub route · load-test performance
  bottleneck performance profile · profile profiling · trace span · tracing trace · real-user rum · telemetry metrics
  metric metrics · uptime availability · downtime outage incident · outage incident · on-call oncall schedule
  pager oncall · escalate escalation · severity priority · priority urgency importance · urgent priority
  anomaly outlier · monitoring monitor · sensor device · device phone emulator simulator · emulator device simulator
  tablet device · app-store app · uninstall remove · reinstall install · upgrade update version · downgrade version
  outdated upgrade update · deprecated outdated · import dependency · monorepo workspace · submodule module
  module package · stack framework · component element widget · widget component · plugin extension addon
  extension plugin · theme style · skin theme · menu navigation · homepage page · landing-page page
  redirect forward · signature footer · attachment file · draft compose · unread inbox · starred star · star favorite
  favorite favourite star bookmark · favourite favorite · bookmark favorite · pin bookmark · recipient to
  sender from · bcc email · out-of-office vacation autoreply · autoreply vacation · reminder alarm notification
  remind reminder · deadline due · agenda calendar events · busy freebusy availability · slot availability time
  weekly recurring · repeat recurring · daily recurring · birthday event · conference meeting
  video-call meeting conference · webinar meeting · participant attendee · attendee participant guest
  guest attendee · minutes notes transcript · wiki page knowledge · knowledge-base wiki · handbook wiki docs
  faq help · help support docs · support ticket help · complaint ticket · case ticket record · passed result status
  outcome result · results result outcome · verdict result · test-plan plan · suite tests · coverage tests
  assertion test · stage environment · staging environment · production environment · prod production
  canary rollout · experiment test variant · variant experiment · ab-test experiment
  machine-user system-account service-account · service-account system-account · role permission · admin-rights admin
  two-factor mfa 2fa · mfa 2fa · sso saml · api-key key token · rotate-key rotate · rotation rotate · breach incident
  malware threat virus · virus malware · threat malware attack · attack threat · phishing spam · scan analyze inspect
  audit log history · compliance policy · legal law · contract agreement · sign signature · gateway network
  router network · subnet network · vpc network · load-balancer balancer · cdn cache · edge cdn
  renew renewal extend · expire expiry expiration · expiry expiration · ttl expiration · nameserver dns · record dns
  registrar domain · whois domain · billing invoice usage cost · spending cost billing · spend cost
  disk storage volume · mount volume · drive storage · space storage · path file directory · sentence text
  paragraph text · title heading · chapter section · book publication · journal article · author writer
  abstract summary · scholar research · research study search · science research · patient medical
  disease medical clinical · drug medication · gene genome · protein molecule · chemical compound molecule
  parliament government · politician member · law legislation · vote voting · speech speeches
  news article headlines · headlines news · tweet post · followers audience · influencer creator · hashtag tag
  profile user account · avatar picture · username user handle · nickname name · handle username · friend contact
  family contact · push-message push · notification push alert · game scene · scene world object · 3d model scene
  mesh model · texture material · player character · terrain map · simulate run · physics simulation
  blockchain crypto transaction · wallet crypto account · coin crypto token · nft token
  transaction transfer payment · smart-contract contract · gas fee · fee price charge · think thinking reasoning
  reason reasoning · step-by-step sequential thinking · brainstorm ideas · decide decision · decision choose
  learn memory train · recall memory · forget delete memory · swarm agents · coordinate orchestrate
  design layout mockup · unused dead · open unresolved active · unresolved open · crontab cron · ring dial call
  strength workout training · log record
`;
