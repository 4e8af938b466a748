// Programs that request pixels and links, besides the mail clients and browsers of people. This is data: to extend it,
// add a row with its source, and a user agent to user-agents.json.

export interface KnownClient {
  readonly name: string
  /** Matches its user agent. */
  readonly userAgent: RegExp
  /** The page or list that documents it. */
  readonly source: string
  /** The row applies to this kind of request only: for the other kind, the same user agent belongs to a person. */
  readonly only?: 'view' | 'click'
}

// Lists of user agents that were seen in server logs.
const crawlerUserAgents = 'https://github.com/monperrus/crawler-user-agents'
const crawlerDetect = 'https://github.com/JayBizzle/Crawler-Detect (tests/data/user_agent/crawlers.txt)'
const deviceDetector = 'https://github.com/matomo-org/device-detector (Tests/fixtures/bots.yml, pim.yml)'
const liveDirectMarketing =
  'https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect'

/** Fetch pictures for the reader when a mail is opened: this is a view, but the country is unknown. */
export const imageProxies: readonly KnownClient[] = [
  {
    name: 'Gmail',
    userAgent: /GoogleImageProxy/,
    source: 'https://support.google.com/a/answer/3299041',
  },
  {
    name: 'Yahoo Mail, AOL',
    userAgent: /YahooMailProxy/,
    source: 'https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  },
  { name: 'HEY', userAgent: /^hey\.com\/imageproxy/, source: 'https://www.hey.com/image-proxy' },
  { name: 'Fastmail', userAgent: /^FastmailUA\//, source: 'https://www.fastmail.com/policies/bots/' },
  { name: 'Seznam Email', userAgent: /SeznamEmailProxy/, source: deviceDetector },
  { name: 'Rambler', userAgent: /^RamblerMail\/.*ImageProxy/, source: deviceDetector },
  { name: 'Ukr.net', userAgent: /mail\.ukr\.net proxy/, source: deviceDetector },
]

/** Fetch pictures before a person opens the mail, even if the mail is never opened. */
export const prefetchers: readonly KnownClient[] = [
  {
    name: 'Apple Mail Privacy Protection',
    userAgent: /^Mozilla\/5\.0$/,
    source: 'https://help.socketlabs.com/docs/identifying-apple-mpp-opens-in-notification-api-events',
  },
  {
    name: 'Gmail, while the mailbox is open',
    userAgent: /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/,
    source: 'https://www.gmass.co/blog/false-opens-in-gmail/',
  },
  {
    name: 'Chrome, before a click',
    userAgent: /Chrome Privacy Preserving Prefetch Proxy/,
    source: 'https://developer.chrome.com/blog/private-prefetch-proxy',
  },
]

/** Follow links to protect the recipient. Most scanners pretend to be browsers; these do not. */
export const scanners: readonly KnownClient[] = [
  {
    name: 'Barracuda',
    userAgent: /Barracuda/i,
    source: 'https://www.braze.com/docs (SMS and RCS bot click filtering)',
  },
  {
    // Matched by name, because their full user agents are not published. No mail client or browser has these names.
    name: 'Proofpoint, Mimecast, Cisco Secure Email, Trend Micro Email Security, FortiMail',
    userAgent: /proofpoint|urldefense|mimecast|CiscoSecureEmail|IronPort|\bTMES\b|FortiMail/i,
    source: liveDirectMarketing,
  },
  { name: 'Kaspersky', userAgent: /Kaspersky Lab CFR link resolver/, source: deviceDetector },
  { name: 'Norton Safe Web', userAgent: /^Norton-Safeweb/, source: crawlerDetect },
  { name: 'Avira', userAgent: /safesearch\.avira/i, source: crawlerUserAgents },
  {
    name: 'Palo Alto Networks',
    userAgent: /paloaltonetworks\.com|expanseinc\.com/,
    source: 'https://docs-cortex.paloaltonetworks.com/r/1/Cortex-Xpanse/Scanning-activity',
  },
  { name: 'Splunk Attack Analyzer', userAgent: /TwinWaveScanner/, source: crawlerUserAgents },
  {
    name: 'VirusTotal',
    userAgent: /virustotal/i,
    source: 'https://github.com/monperrus/crawler-user-agents/issues/281',
  },
  {
    name: 'Cloudflare',
    userAgent: /Cloudflare-?Radar-?(URL)?Scanner|developers\.cloudflare\.com\/security-center/i,
    source: crawlerUserAgents,
  },
  {
    name: 'Google Safe Browsing',
    userAgent: /Google-Safety/,
    source: 'https://developers.google.com/search/docs/crawling-indexing/google-special-case-crawlers',
  },
  { name: 'Netcraft', userAgent: /Netcraft/i, source: deviceDetector },
  {
    name: 'Microsoft, previews',
    userAgent: /BingPreview|MicrosoftPreview|SkypeUriPreview/,
    source: 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
  },
  {
    name: 'Microsoft Office, before it opens a browser',
    userAgent: /Microsoft Office (Existence|Protocol) Discovery|Microsoft-WebDAV-MiniRedir/,
    source: 'http://support.microsoft.com/kb/838028',
  },
  {
    // Outlook loads the pictures of a mail itself, but opens links in the browser.
    name: 'Microsoft Office, following a link itself',
    userAgent: /ms-office|MSOffice|Microsoft Office\//,
    only: 'click',
    source: liveDirectMarketing,
  },
  {
    name: 'new Outlook, checking a link for Safe Links',
    userAgent: /\bOneOutlook\//,
    only: 'click',
    source: 'https://github.com/usdigitalresponse/usdr-gost (access-helpers.test.js)',
  },
  {
    name: 'clients without a user agent: browsers always send one',
    userAgent: /^$/,
    only: 'click',
    source: liveDirectMarketing,
  },
]

/** Mail clients of people that `isbot` takes for bots. */
export const mailClients: readonly KnownClient[] = [
  {
    name: 'Microsoft Outlook',
    userAgent: /Microsoft Outlook|MSOffice|Outlook-(iOS|Android|Express)|MacOutlook/,
    source: deviceDetector,
  },
  {
    name: 'eM Client, Windows Mail, NAVER Mail',
    userAgent: /^(eMClient|WindowsMail|NaverMailApp)\//,
    source: deviceDetector,
  },
]

/**
 * Networks of mail security vendors, in which no person reads mails. A range is listed if the vendor or its customers
 * publish it as that of the mail filter, and if the vendor itself announces it (checked against @ip-location-db/asn
 * 2.3.2026061719; Amazon announces 209.222.82.0/24 for Barracuda). Left out: the networks of Zscaler, Forcepoint and
 * Symantec, through which people browse, and the offices of Proofpoint.
 */
export const scannerNetworks: readonly {
  readonly name: string
  readonly networks: readonly string[]
  readonly source: string
}[] = [
  {
    // Without 64.235.148.0/23, which A1 Telekom Austria announces.
    name: 'Barracuda Email Gateway Defense',
    networks: ['64.235.144.0/22', '64.235.150.0/23', '64.235.152.0/21', '209.222.80.0/21'],
    source:
      'AS15324; SPF of spf.ess.barracudanetworks.com; https://campus.barracuda.com/product/emailgatewaydefense',
  },
  {
    // Without Exchange Online, from which Outlook on the web fetches pictures for its readers.
    name: 'Microsoft 365, Exchange Online Protection',
    networks: ['40.92.0.0/15', '40.107.0.0/16', '52.100.0.0/14', '104.47.0.0/17', '2a01:111:f403::/48'],
    source: 'AS8075; https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges (9)',
  },
  {
    name: 'Proofpoint',
    networks: [
      '67.231.144.0/20',
      '91.207.212.0/23',
      '91.209.104.0/24',
      '148.163.132.0/22',
      '148.163.136.0/21',
      '148.163.144.0/20',
      '185.132.180.0/22',
      '185.183.28.0/22',
      '208.84.64.0/22',
    ],
    source: 'AS22843, AS26211, AS52129; addresses of Proofpoint Essentials and of *.pphosted.com',
  },
  {
    name: 'Mimecast',
    networks: [
      '41.74.192.0/22',
      '63.128.21.0/24',
      '91.220.42.0/24',
      '170.10.128.0/22',
      '170.10.132.0/23',
      '185.58.85.0/24',
      '185.58.86.0/24',
      '195.130.217.0/24',
      '205.139.110.0/23',
      '207.82.80.0/24',
      '207.211.30.0/24',
      '216.205.24.0/24',
    ],
    source: 'AS30031, AS37235, AS42427; SPF of _netblocks.mimecast.com as customers quote it',
  },
]
