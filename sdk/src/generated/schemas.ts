// Generated from the route table: `npm run generate` writes it.
import type { FileInput } from '../types.ts'

export interface AnalyticsBreakdownRow {
  id: string
  label: string
  views: number
  clicks: number
  /** Clicks by views, with six decimals; 0 without views. */
  clickthrough_rate: number
}

export interface AnalyticsGroupRow {
  id: string
  label: string
  view_count: number
  click_count: number
  clickthrough_rate: number
}

export interface AnalyticsOverview {
  start_date: string
  end_date: string
  interval: string
  totals: { views: number; clicks: number; clickthrough_rate: number }
  series: { period: string; views: number; clicks: number; clickthrough_rate: number }[]
}

export interface AnalyticsPeriodCount {
  /** Its first day, or its hour. */
  period: string
  count: number
}

export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  /** How the key begins, to tell keys apart. */
  prefix: string
  /** Whom the key acts as. */
  member_id: string
  expires_at: string | null
  last_used_at: string | null
  created_at: string
  updated_at: string
}

export interface ApiKeyInput {
  name: string
  scopes?: ApiKeyScopes | undefined
  /** Default: in one year; null: never. Never later than the expiry of the key that creates it. */
  expires_at?: string | null | undefined
}

export interface ApiKeyPatch {
  name?: string | undefined
  scopes?: ApiKeyScopes | undefined
  /** Default: in one year; null: never. Never later than the expiry of the key that creates it. */
  expires_at?: string | null | undefined
}

/** Default: those of the key that creates it. */
export type ApiKeyScopes = ("*" | "*:read" | "signatures:*" | "teammates:*" | "emails:*" | "smart_fields:*" | "folders:*" | "assets:*" | "marketing_campaigns:*" | "webhooks:*" | "api_keys:*" | "members:*" | "integrations:*" | "installations:*" | "analytics:*" | "financial_documents:*" | "workspace:*" | "audit_log:*" | "scim:*" | "signatures:read" | "signatures:write" | "signatures:delete" | "teammates:read" | "teammates:write" | "teammates:delete" | "emails:read" | "emails:write" | "emails:delete" | "smart_fields:read" | "smart_fields:write" | "smart_fields:delete" | "folders:read" | "folders:write" | "folders:delete" | "assets:read" | "assets:write" | "assets:delete" | "marketing_campaigns:read" | "marketing_campaigns:write" | "marketing_campaigns:delete" | "webhooks:read" | "webhooks:write" | "webhooks:delete" | "api_keys:read" | "api_keys:write" | "api_keys:delete" | "members:read" | "members:write" | "members:delete" | "integrations:read" | "integrations:write" | "integrations:delete" | "installations:read" | "analytics:read" | "analytics:write" | "financial_documents:read" | "workspace:read" | "workspace:write" | "audit_log:read" | "scim:write")[]

export interface Asset {
  id: string
  name: string
  filename: string
  role: "company_logo" | "profile_picture" | "banner" | null
  /** Of the file at `url`: WebP and SVG become PNG. */
  content_type: "image/png" | "image/jpeg" | "image/gif"
  byte_size: number
  /** In pixels. */
  width: number
  /** In pixels. */
  height: number
  animated: boolean
  /** The file. It needs no credential: its address is enough. */
  url: string
  /** Something refers to it; deleted, it goes on being served. */
  in_use: boolean
  signature_template_count: number
  created_at: string
  updated_at: string
}

export interface AssetInput {
  /** The bytes of a PNG, JPEG, GIF, WebP or SVG: at most 15 MB, 25 megapixels and 100 frames (40 megapixels together). Either this, with `filename`, or `source_url`. */
  file_base64?: FileInput | string | null | undefined
  filename?: string | null | undefined
  /** A public http(s) address to fetch the file from, within 10 seconds. */
  source_url?: string | null | undefined
  /** Unless given, the name of the file. */
  name?: string | null | undefined
  role?: "company_logo" | "profile_picture" | "banner" | null | undefined
}

export interface AssetPatch {
  name?: string | undefined
  role?: "company_logo" | "profile_picture" | "banner" | null | undefined
}

/** Who did what, when. Member and key are null for what was done at the command line. */
export interface AuditEntry {
  id: string
  /** What was done, for example `folder.created`. */
  action: string
  resource_type: string
  resource_id: string | null
  /** The name of the resource as it is now. Null where it has none or is gone. */
  resource_name: string | null
  member_id: string | null
  member_name: string | null
  api_key_id: string | null
  api_key_name: string | null
  session_id: string | null
  request_id: string | null
  /** `mcp`: a tool of an MCP client made the change. `personal_page`: the owner of the personal page did, without a sign-in. Null: the API itself. */
  via: "mcp" | "personal_page" | null
  /** Why, for a sign-in by single sign-on that was refused; null elsewhere. */
  reason: string | null
  created_at: string
}

export interface BlockStyle {
  marginTop?: number | undefined
  marginRight?: number | undefined
  marginBottom?: number | undefined
  marginLeft?: number | undefined
  paddingTop?: number | undefined
  paddingRight?: number | undefined
  paddingBottom?: number | undefined
  paddingLeft?: number | undefined
  backgroundColor?: ContentColor | undefined
  gap?: number | undefined
  width?: number | undefined
  align?: "left" | "center" | "right" | undefined
}

export interface Brand {
  /** The asset that shows the logo. */
  logo_asset_id: string | null
  font_family: "Arial" | "Calibri" | "Courier New" | "Garamond" | "Georgia" | "Helvetica" | "Lucida Sans" | "Palatino" | "Segoe UI" | "Tahoma" | "Times New Roman" | "Trebuchet MS" | "Verdana" | null
  /** The public https or http address of the company. */
  website: string | null
  address: string | null
  /** The profiles of the company, in their order. */
  social: SocialLink[]
  /** The small print: registration, disclaimer. Templates show as much of it as fits. */
  legal: string | null
  colors: { primary: string | null; text: string | null; muted: string | null; link: string | null }
  updated_at: string | null
}

export interface BrandPatch {
  /** The asset that shows the logo. */
  logo_asset_id?: string | null | undefined
  font_family?: "Arial" | "Calibri" | "Courier New" | "Garamond" | "Georgia" | "Helvetica" | "Lucida Sans" | "Palatino" | "Segoe UI" | "Tahoma" | "Times New Roman" | "Trebuchet MS" | "Verdana" | null | undefined
  /** The public https or http address of the company. */
  website?: string | null | undefined
  address?: string | null | undefined
  /** The profiles of the company, in their order. */
  social?: SocialLink[] | undefined
  /** The small print: registration, disclaimer. Templates show as much of it as fits. */
  legal?: string | null | undefined
  /** Colours that are left out stay as they are. */
  colors?: { primary?: string | null | undefined; text?: string | null | undefined; muted?: string | null | undefined; link?: string | null | undefined } | undefined
}

export interface ButtonBlock {
  type: "button"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  tokens: Token[]
  href: Href
  variant?: "solid" | "outline" | undefined
  color?: ContentColor | undefined
  backgroundColor?: ContentColor | undefined
  borderRadius?: number | undefined
  align?: "left" | "center" | "right" | undefined
}

export interface CampaignVariantCount {
  id: string
  name: string
  count: number
}

export interface CampaignVariantInput {
  /** Left out: made by the service. Keep it to keep its numbers. */
  id?: string | undefined
  name: string
  /** The banner. Without it the campaign runs and shows nothing. */
  content?: null | Content | undefined
  /** The share of addresses that see it, against the others. 0: none. */
  weight?: number | undefined
}

export interface CheckProblem {
  code: "nothing_to_show" | "unreachable_address" | "missing_values" | "low_contrast" | "text_too_small" | "unsupported_image" | "literal_placeholder" | "too_long" | "image_oversized" | "variant_not_active" | "link_without_target" | "missing_alt" | "not_mobile"
  /** `error`: publishing is refused unless it is forced. */
  severity: "error" | "warning" | "note"
  message: string
  /** Empty when the problem concerns no block. */
  blocks: { id: string; name: string; path: string }[]
  recipients_affected: number
  /** The label of the smart field that the problem is about. Only of `missing_values`. */
  smart_field?: string | undefined
}

export interface Checklist {
  /** An admin has hidden the checklist. */
  dismissed: boolean
  done: number
  total: number
  items: { key: "brand" | "people" | "signature" | "recipients" | "publish" | "install" | "members" | "mail" | "domains"; done: boolean; count: number }[]
  /** What an admin should look at. */
  attention: { failed_installations: number; people_with_missing_values: number; people_with_missing_values_is_lower_bound: boolean; halted_channels: number; failing_webhooks: number; profile_changes: number; publication_requests: number }
}

export interface ChecklistPatch {
  /** Hides the checklist, or shows it again. */
  dismissed?: boolean | undefined
}

/** Outer array: or. Inner array: and. */
export type Conditions = ({ smart_field_id: string; operator?: "is_any_of" | "is_none_of" | "contains" | "starts_with" | "ends_with" | "is_set" | "is_not_set" | undefined; values?: string[] | undefined }[])[]

/** Outer array: or. Inner array: and. */
export type ConditionsInput = ({ smart_field_id?: string | undefined; smart_field?: string | undefined; operator?: "is_any_of" | "is_none_of" | "contains" | "starts_with" | "ends_with" | "is_set" | "is_not_set" | undefined; values?: string[] | undefined }[])[]

/** One stack at the root. At most 12 levels deep, 500 blocks and 256 KB of JSON. Ids are unique in the tree; those left out are filled in. Campaign content has no marketing block, no queryParams and no vcard in href. */
export type Content = RootBlock

/** #rgb, #rrggbb, rgb(…), a CSS name, or transparent */
export type ContentColor = string

export interface ContentImport {
  content: Content
  /** What a preview of the content warns of. */
  warnings: ContentWarning[]
  fields: { token_id: string; value: string; smart_field_id: string; confidence: number }[]
  /** What was left out or changed. Nothing else was. */
  not_mapped: { code: "hidden" | "tracking_pixel" | "picture" | "picture_not_fetched" | "background_picture" | "link" | "script" | "form" | "media" | "vml" | "word_only" | "font" | "style" | "layout" | "limit"; what: string; where: string | null }[]
}

export interface ContentImportInput {
  /** A signature as it is today: at most 256 KB of HTML, copied from a mail client or from a generator of signatures. */
  html: string
  /** The address whose signature this is. Values of its owner become smart fields. */
  email_id?: string | undefined
}

export interface ContentWarning {
  code: string
  message: string
  /** The block or token it is about; null for the whole. */
  id: string | null
}

export interface CreatedDeploymentToken {
  id: string
  /** Counts the tokens of the integration; it is the last part of the version of the manifest. */
  number: number
  /** The XML manifest, for all clients. It contains the token. */
  manifest_url: string
  /** The unified manifest in JSON, without Mac and phones. */
  manifest_json_url: string
  created_at: string
  /** When an Outlook last asked with this token, to the hour. */
  last_used_at: string | null
  /** Shown this once. */
  deployment_token: string
}

export interface CreatedIntegration {
  id: string
  kind: string
  name: string
  status: "active" | "error"
  error_message: string | null
  error_since: string | null
  dashboard_url: string | null
  /** `directory`: people and groups are read from it. `channel`: signatures are delivered through it. */
  capabilities: ("directory" | "channel")[]
  /** As they were set, without secrets. Which there are depends on the kind. */
  settings: Record<string, unknown>
  /** When the directory was last read to its end. */
  last_synced_at: string | null
  /** When the next run begins; null: when it is requested. */
  next_sync_at: string | null
  /** People who come from this directory. */
  people_count: number
  /** The run whose leavers wait for an approval: `POST /v1/sync_runs/{id}/approve`. */
  held_run_id: string | null
  created_at: string
  updated_at: string
  /** Of a webhook: what its requests are signed with. Shown this once. */
  signing_secret?: string | undefined
  /** Of `microsoft_365`: part of the addresses of the add-in. Shown this once. */
  deployment_token?: string | undefined
  /** Of `microsoft_365`: where the manifest of the add-in is. */
  manifest_url?: string | undefined
  /** Of `scim`: the address to paste at the identity provider. */
  base_url?: string | undefined
  /** Of `scim`: how to make the key that the identity provider needs. */
  next_step?: string | undefined
}

export interface DeploymentToken {
  id: string
  /** Counts the tokens of the integration; it is the last part of the version of the manifest. */
  number: number
  /** The XML manifest, for all clients. It contains the token. */
  manifest_url: string
  /** The unified manifest in JSON, without Mac and phones. */
  manifest_json_url: string
  created_at: string
  /** When an Outlook last asked with this token, to the hour. */
  last_used_at: string | null
}

export interface DividerBlock {
  type: "divider"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  color?: ContentColor | undefined
  thickness?: number | undefined
  direction?: "horizontal" | "vertical" | undefined
}

export interface Email {
  id: string
  address: string
  primary: boolean
  teammate_id: string
  created_at: string
  updated_at: string
}

export interface EmailInput {
  teammate_id: string
  address: string
}

export interface EmailPatch {
  address?: string | undefined
  /** true makes this the primary address of the teammate. */
  primary?: boolean | undefined
}

export interface EventInput {
  /** What happened. `$view` and `$click` are ours; `$identify` tells who a visitor is and is not recorded as an event. */
  name: string
  /** From -10^15 to 10^15. */
  value?: number | null | undefined
  /** ISO 4217, for example `EUR`. */
  currency?: string | null | undefined
  /** The `signoff_click_id` that the visitor came with: puts the event down to the signature, campaign, teammate and link that were clicked in the 30 days before. Any other text is kept as it is, without effect. */
  click_id?: string | null | undefined
  /** Sent again under the same id, an event is recorded once. */
  event_id?: string | null | undefined
  /** Whatever belongs to the event, at most 8 KB. */
  properties?: {  } | null | undefined
  /** The visitor, until a user is identified. */
  anonymous_id?: string | null | undefined
  /** The visitor, once you know. Together with `anonymous_id` it tells who that was. */
  user_id?: string | null | undefined
  /** What is known of the visitor, at most 8 KB; added to what was known before. */
  traits?: {  } | null | undefined
}

export interface EventReceipt {
  name: string
  value: number | null
  currency: string | null
  click_id: string | null
  source: string
  status: string
}

export interface EventSummaryRow {
  id: string
  label: string
  count: number
  /** The sum of the values, whatever their currency. */
  value: number
}

export interface EventSummaryTotals {
  count: number
  /** The sum of the values, whatever their currency. */
  value: number
}

export interface FeedbackInput {
  category: "bug" | "missing_capability" | "question" | "other"
  message: string
  /** The endpoint or tool the feedback is about. */
  tool_name?: string | null | undefined
  /** Who is reporting, when they opted to share it. */
  reporter?: string | null | undefined
}

export interface FeedbackReceipt {
  received: boolean
  category: "bug" | "missing_capability" | "question" | "other"
}

export interface FinancialDocument {
  id: string
  number: string
  total_amount_cents: number
  processor_receipt_url: string | null
  due_date: string | null
  period_start: string | null
  period_end: string | null
  file: { url: string; filename: string; content_type: string; byte_size: number } | null
  receipt: { url: string; filename: string; content_type: string; byte_size: number } | null
  created_at: string
  updated_at: string
}

export interface Folder {
  id: string
  name: string
  signature_count: number
  created_at: string
  updated_at: string
}

export interface FolderInput {
  name: string
}

export interface FolderPatch {
  name?: string | undefined
}

export interface Href {
  text?: string | undefined
  smartFieldUuid?: string | undefined
  queryParams?: ({ id?: string | undefined; key: string; values?: { id?: string | undefined; text?: string | undefined; smartFieldUuid?: string | undefined }[] | undefined })[] | undefined
  /** The person's contact card */
  vcard?: true | undefined
}

export interface IconBlock {
  type: "icon"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  name: IconName
  size?: number | undefined
  color?: ContentColor | undefined
  backgroundColor?: ContentColor | undefined
  shape?: "square" | "rounded" | "circle" | undefined
  alt?: string | undefined
  href?: Href | undefined
}

export type IconName = "android" | "apple" | "behance" | "bluesky" | "app-store" | "discord" | "dribbble" | "facebook" | "facebook-f" | "facebook-messenger" | "flickr" | "github" | "gitlab" | "google" | "google-play" | "instagram" | "line" | "linkedin" | "linkedin-in" | "mastodon" | "medium" | "microsoft" | "pinterest" | "pinterest-p" | "product-hunt" | "reddit" | "researchgate" | "skype" | "slack" | "snapchat" | "soundcloud" | "spotify" | "stack-overflow" | "telegram" | "threads" | "tiktok" | "tumblr" | "twitch" | "vimeo-v" | "weixin" | "whatsapp" | "x-twitter" | "xing" | "yelp" | "youtube" | "address-card" | "at" | "award" | "bell" | "bolt" | "book-open" | "briefcase" | "building" | "bullhorn" | "calendar" | "calendar-check" | "cart-shopping" | "circle-check" | "circle-info" | "clock" | "comment" | "download" | "envelope" | "fax" | "gift" | "globe" | "graduation-cap" | "handshake" | "headset" | "heart" | "house" | "image" | "leaf" | "link" | "location-dot" | "map" | "microphone" | "mobile" | "mobile-screen" | "newspaper" | "paper-plane" | "phone" | "plane" | "play" | "print" | "quote-left" | "rss" | "shield-halved" | "star" | "tag" | "ticket" | "user" | "users" | "video"

/** Only where the request sent something without effect: values that a directory manages (`directory_managed`) or that the service computes (`computed`), and query parameters that the operation does not have (`unknown_parameter`). */
export type Ignored = { field: string; code: string }[]

export interface ImageBlock {
  type: "image"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  assetUuid?: string | undefined
  src?: string | undefined
  smartFieldUuid?: string | undefined
  alt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  shape?: "square" | "rounded" | "circle" | undefined
  halo?: boolean | undefined
  crop?: { x: number; y: number; width: number; height: number } | undefined
  href?: Href | undefined
}

export interface Import {
  id: string
  file_name: string | null
  format: "csv" | "xlsx"
  /** As recognized; null for XLSX. */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null
  /** As recognized; null for XLSX. */
  delimiter: "," | ";" | "\t" | null
  /** `ready`: read, and nothing is written yet. `running`: the job is at work. `failed`: it has stopped, see `error`; rows that are counted stay written. */
  state: "ready" | "running" | "done" | "failed"
  /** As applied; null before. */
  mode: "upsert" | "directory" | null
  /** Rows below the names of the columns. */
  row_count: number
  /** Problems that reading the file has found, in all lines. */
  problem_count: number
  /** Rows that the job has processed. */
  processed_count: number
  /** People who were created. */
  created_count: number
  /** People whose values were changed. */
  updated_count: number
  /** Rows that were the same as here already. */
  unchanged_count: number
  /** Rows that were not imported: the report lists them. */
  failed_count: number
  /** People who are not in the file, and became inactive. */
  deactivated_count: number
  /** People who were inactive, are in the file, and became active. */
  reactivated_count: number
  /** Why the import failed. */
  error: string | null
  started_at: string | null
  finished_at: string | null
  /** The import and everything that was read are deleted at this time. */
  expires_at: string
  created_at: string
  updated_at: string
  columns: { name: string; examples: string[] }[]
  /** For each column the key of the smart field that fits its name, `email` for the address, or null. */
  guessed_mapping: Record<string, string | null>
  /** As applied; null before. */
  mapping: Record<string, string | null> | null
  /** At most 20; of each cell the first 200 characters, with … where it is longer. */
  first_rows: { line: number; cells: string[] }[]
  /** The first 100 problems, found with the guessed mapping. */
  problems: { line: number; column: string | null; code: "missing" | "invalid" | "duplicate" | "wrong_cell_count" | "too_long"; message: string }[]
  /** The first 50 problems of rows that were not imported. The report has all of them. */
  failures: ImportFailure[]
}

export interface ImportApply {
  /** For each column, by its name: the key or id of a smart field, `email` for the address, or null to leave it out. Columns that are not named are left out. `guessed_mapping` is a start. */
  mapping: Record<string, string | null>
  /** `upsert` (default): creates and updates people; an empty cell changes nothing. `directory`: the file is the directory, so an empty cell clears its value, people who are not in the file become inactive, and inactive people who are in it become active. */
  mode?: "upsert" | "directory" | undefined
  /** With mode `directory`: how many people may become inactive at most. Needed where these are more than 10 people and more than 10 % of all active people. */
  confirm?: number | null | undefined
}

export interface ImportFailure {
  /** The line of the file, or the row of the sheet, from 1. */
  line: number
  /** As in the file. */
  email: string | null
  /** Null for a problem of the whole line. */
  column: string | null
  /** What the cell holds, at most 200 characters. Null for a problem of the whole line. */
  value?: string | null | undefined
  code: string
  message: string
}

export interface ImportInput {
  /** A CSV or XLSX file of at most 20 MB. */
  file_base64: FileInput | string
  /** Only to be shown in lists. */
  file_name?: string | null | undefined
}

export interface ImportPlan {
  /** For each column, by its name: the key or id of a smart field, `email` for the address, or null to leave it out. Columns that are not named are left out. `guessed_mapping` is a start. */
  mapping: Record<string, string | null>
  /** `upsert` (default): creates and updates people; an empty cell changes nothing. `directory`: the file is the directory, so an empty cell clears its value, people who are not in the file become inactive, and inactive people who are in it become active. */
  mode?: "upsert" | "directory" | undefined
}

export interface ImportPreview {
  /** People who would be created. */
  created_count: number
  /** People whose values would change. */
  updated_count: number
  /** Rows that are the same as here already. */
  unchanged_count: number
  /** Rows that would not be imported. */
  failed_count: number
  /** People who are not in the file, and would become inactive. */
  deactivated_count: number
  /** Inactive people who are in the file, and would become active. */
  reactivated_count: number
  /** `apply` would be refused, unless `confirm` is at least `deactivated_count`. */
  confirmation_required: boolean
  /** Of a CSV directory: people who are not in the file, and would stay until the run is approved. */
  held_count: number
  /** Of a CSV directory: why people would wait for an approval. */
  held_reason: string | null
  /** The first 50 people who would be created or changed. */
  changes: ({ line: number; email: string; teammate_id: string | null; action: "create" | "update" | "reactivate"; fields: { smart_field_id: string; label: string; before: string | null; after: string | null }[] })[]
  /** The first 50 problems. */
  failures: ImportFailure[]
  /** The first 50 people who would become inactive, or wait for an approval. */
  deactivations: { teammate_id: string; email: string }[]
}

export interface ImportResult {
  created: number
  updated: number
  failed: { index: number; email: string | null; details: unknown[] }[]
}

export interface ImportSummary {
  id: string
  file_name: string | null
  format: "csv" | "xlsx"
  /** As recognized; null for XLSX. */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null
  /** As recognized; null for XLSX. */
  delimiter: "," | ";" | "\t" | null
  /** `ready`: read, and nothing is written yet. `running`: the job is at work. `failed`: it has stopped, see `error`; rows that are counted stay written. */
  state: "ready" | "running" | "done" | "failed"
  /** As applied; null before. */
  mode: "upsert" | "directory" | null
  /** Rows below the names of the columns. */
  row_count: number
  /** Problems that reading the file has found, in all lines. */
  problem_count: number
  /** Rows that the job has processed. */
  processed_count: number
  /** People who were created. */
  created_count: number
  /** People whose values were changed. */
  updated_count: number
  /** Rows that were the same as here already. */
  unchanged_count: number
  /** Rows that were not imported: the report lists them. */
  failed_count: number
  /** People who are not in the file, and became inactive. */
  deactivated_count: number
  /** People who were inactive, are in the file, and became active. */
  reactivated_count: number
  /** Why the import failed. */
  error: string | null
  started_at: string | null
  finished_at: string | null
  /** The import and everything that was read are deleted at this time. */
  expires_at: string
  created_at: string
  updated_at: string
}

export interface InstallOne {
  /** Must be the one that this address gets. */
  signature_id?: string | undefined
}

export interface InstallablePreview {
  html: string
  text: string
  /** Of this HTML, in UTF-8. */
  bytes: number
  warnings: ContentWarning[]
  /** Of the same HTML with tracked links and the pixel, as mailboxes get it. Gmail takes at most 10,000. */
  installed_bytes: number
}

export interface Installation {
  id: string
  signature_template_id: string
  email_id: string
  email_address: string
  integration_id: string | null
  channel: "personal_page" | "google_workspace" | "microsoft_365" | "smtp_relay" | "webhook"
  status: "pending" | "installed" | "drifted" | "failed" | "uninstalled"
  error_code: string | null
  error_message: string | null
  attempts: number
  html_sha256: string | null
  installed_at: string | null
  /** Of channels whose signatures are fetched (`personal_page`, `microsoft_365`, `smtp_relay`): when this signature was fetched for the first time. */
  first_fetched_at: string | null
  /** When it was fetched last, to the hour. It does not change `updated_at`. */
  last_fetched_at: string | null
  /** Of `microsoft_365`: why Outlook could not set the signature the last time it reported a trouble. Kept for 30 days. */
  trouble: { code: string; message: string; host: string; platform: string; count: number; at: string } | null
  created_at: string
  updated_at: string
}

export interface InstallationProgress {
  signature_id: string
  pending: number
  installed: number
  /** Written, but the mailbox holds another signature now. */
  drifted: number
  failed: number
  uninstalled: number
  /** Pushed per second, over the last minute. */
  rate: number
  estimated_end: string | null
  /** Through the Outlook add-in and the relay. Counted above only while nothing is pushed. */
  fetched: { pending: number; installed: number; drifted: number; failed: number; uninstalled: number }
  /** Who has copied it. Counted above only while nothing is pushed or fetched. */
  personal_page: { pending: number; installed: number; drifted: number; failed: number; uninstalled: number }
}

export interface InstallationQueued {
  signature_id: string
  /** Addresses. */
  queued: number
}

export interface Integration {
  id: string
  kind: string
  name: string
  status: "active" | "error"
  error_message: string | null
  error_since: string | null
  dashboard_url: string | null
  /** `directory`: people and groups are read from it. `channel`: signatures are delivered through it. */
  capabilities: ("directory" | "channel")[]
  /** As they were set, without secrets. Which there are depends on the kind. */
  settings: Record<string, unknown>
  /** When the directory was last read to its end. */
  last_synced_at: string | null
  /** When the next run begins; null: when it is requested. */
  next_sync_at: string | null
  /** People who come from this directory. */
  people_count: number
  /** The run whose leavers wait for an approval: `POST /v1/sync_runs/{id}/approve`. */
  held_run_id: string | null
  created_at: string
  updated_at: string
}

export interface IntegrationAttribute {
  /** The value of `integration_attribute` of a smart field. */
  attribute: string
  label: string
  /** Of the first 1,000 people, how many have a value. */
  people_count: number
  /** The three most frequent values. */
  examples: string[]
  /** The smart fields that are mapped to it. */
  smart_field_ids: string[]
  /** A built-in smart field that fits and is not mapped yet. */
  suggested_smart_field_id: string | null
}

export interface IntegrationEntity {
  id: string
  name: string
  /** What it is there, for example `org_unit` or `group`. */
  sub_kind: string
  teammates_count: number
  integration_id: string
}

export interface IntegrationInput {
  /** Which system it is, such as `google_workspace` or `csv`. */
  kind: string
  /** How people call it. Default: the name of the kind. */
  name?: string | undefined
  /** Depends on the kind: see the page about it in the documentation. */
  settings?: Record<string, unknown> | undefined
  /** Keys and passwords, depending on the kind. Stored encrypted, and never returned. */
  secret?: Record<string, unknown> | null | undefined
  /** `directory`: people and groups are read from it. `channel`: signatures are delivered through it. */
  capabilities?: ("directory" | "channel")[] | undefined
}

export interface IntegrationPatch {
  /** How people call it. Default: the name of the kind. */
  name?: string | undefined
  /** The settings that change; the others stay. Null resets one to its default. */
  settings?: Record<string, unknown> | undefined
  /** Keys and passwords, depending on the kind. Stored encrypted, and never returned. */
  secret?: Record<string, unknown> | null | undefined
  /** `directory`: people and groups are read from it. `channel`: signatures are delivered through it. */
  capabilities?: ("directory" | "channel")[] | undefined
}

export interface IntegrationTest {
  steps: { name: string; ok: boolean; message: string; remedy: string | null }[]
}

export interface Invited {
  signature_id: string
  /** Addresses that were not invited to this version before. */
  queued: number
}

export interface InvitedMember {
  id: string
  name: string
  email: string
  role: "owner" | "admin" | "manager" | "member"
  /** `invited`: the person has not accepted the invitation yet. */
  status: "active" | "invited"
  /** When the member last used the workspace in a browser, to the minute. */
  last_seen_at: string | null
  created_at: string
  updated_at: string
  /** Where the invitation is accepted, in this answer alone. Only while no mail server is set; otherwise the invitation is mailed. */
  invitation_url?: string | undefined
}

export interface ListBlock {
  type: "list"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  direction?: "column" | "row" | undefined
  iconSize?: number | undefined
  children?: ListItemBlock[] | undefined
}

export interface ListItemBlock {
  type: "listItem"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  children: unknown[]
}

export interface ListItemLabelBlock {
  type: "listItemLabel"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  tokens?: Token[] | undefined
  icon?: IconName | undefined
  color?: ContentColor | undefined
}

export interface MarketingBlock {
  type: "marketing"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  campaignUuid?: string | undefined
  align?: "left" | "center" | "right" | undefined
}

export interface MarketingCampaign {
  id: string
  name: string
  status: "draft" | "scheduled" | "active" | "paused" | "ended"
  send_email: boolean
  /** The banner. Without it the campaign runs and shows nothing. */
  content: null | Content
  variants: { id: string; name: string; content: null | Content; weight: number }[]
  smart_fields_conditions: Conditions
  /** Signatures that it is for. Empty: all. */
  signature_template_ids: string[]
  start_time: string | null
  end_time: string | null
  time_zone: string
  created_at: string
  updated_at: string
}

export interface MarketingCampaignInput {
  name: string
  /** Null: as soon as it is scheduled. With an offset, or local to `time_zone`: a local time that clocks skip is moved forward by as much, of one that comes twice the first is meant. */
  start_time?: string | null | undefined
  /** Null: until it is paused. With an offset, or local to `time_zone`: a local time that clocks skip is moved forward by as much, of one that comes twice the first is meant. */
  end_time?: string | null | undefined
  /** As the IANA names it; `UTC` when left out. */
  time_zone?: string | undefined
  /** Whether the people it reaches are mailed when it goes live, once. */
  send_email?: boolean | undefined
  /** The banner. Without it the campaign runs and shows nothing. */
  content?: null | Content | undefined
  /** Several banners to be compared, in the place of `content`: each address sees one of them, always the same. */
  variants?: CampaignVariantInput[] | undefined
  smart_fields_conditions?: ConditionsInput | undefined
  /** Signatures that it is for. Empty: all. */
  signature_template_ids?: string[] | undefined
}

export interface MarketingCampaignPatch {
  name?: string | undefined
  /** Null: as soon as it is scheduled. With an offset, or local to `time_zone`: a local time that clocks skip is moved forward by as much, of one that comes twice the first is meant. */
  start_time?: string | null | undefined
  /** Null: until it is paused. With an offset, or local to `time_zone`: a local time that clocks skip is moved forward by as much, of one that comes twice the first is meant. */
  end_time?: string | null | undefined
  /** As the IANA names it; `UTC` when left out. */
  time_zone?: string | undefined
  /** Whether the people it reaches are mailed when it goes live, once. */
  send_email?: boolean | undefined
  /** The banner. Without it the campaign runs and shows nothing. */
  content?: null | Content | undefined
  /** Several banners to be compared, in the place of `content`: each address sees one of them, always the same. */
  variants?: CampaignVariantInput[] | undefined
  smart_fields_conditions?: ConditionsInput | undefined
  /** Signatures that it is for. Empty: all. */
  signature_template_ids?: string[] | undefined
}

export interface MarketingCampaignPreview {
  html: string
  text: string
  /** Of the HTML, in UTF-8. */
  bytes: number
  warnings: ContentWarning[]
  variants: { id: string; name: string; html: string; text: string; bytes: number; warnings: ContentWarning[] }[]
}

export interface MarketingCampaignPromotion {
  /** The variant that all addresses see from now on. */
  variant_id: string
}

export interface MarketingCampaignResults {
  start_date: string
  end_date: string
  totals: { views: number; clicks: number; clickthrough_rate: number }
  /** `certain`: the leader is best with a probability of at least 95 %. `leading`: of at least 80 %. `too_early`: less, or fewer than 100 views of a banner or 10 clicks in all. Null when there are not two banners to compare. */
  verdict: "too_early" | "leading" | "certain" | null
  /** The variant that is most probably the best. */
  leader_id: string | null
  /** By how much the rate of the leader is higher than that of the second, relative to it (0.2: 20 % more clicks per view): the median, and the interval of 95 %. */
  uplift: { low: number; high: number; expected: number; compared_with_id: string } | null
  /** The same in words. */
  statement: string | null
  variants: ({ id: string; name: string; weight: number; views: number; clicks: number; clickthrough_rate: number; rate_interval: { low: number; high: number } | null; probability_best: number | null; views_needed: number | null })[]
}

export interface MarketingCampaignWarning {
  /** `no_audience`: no address would show it now. `no_banner_slot`: people with `signatures` do not see it, because these have no visible `marketing` block for it. `no_banner`: there is nothing to show. `overlaps_campaign`: `campaigns` reach some of the same people at the same time. `mail_unavailable`: people cannot be mailed. */
  code: "no_audience" | "no_banner_slot" | "no_banner" | "overlaps_campaign" | "mail_unavailable"
  message: string
  /** The block or token it is about; null for the whole. */
  id: string | null
  /** Of `no_banner_slot`. */
  signatures: { id: string; name: string }[]
  /** Of `overlaps_campaign`. */
  campaigns: { id: string; name: string; status: "draft" | "scheduled" | "active" | "paused" | "ended"; wins: boolean }[]
}

export interface Me {
  account: { id: string; name: string; email: string; locale: string | null }
  member: { id: string; role: "owner" | "admin" | "manager" | "member" }
  workspace: Workspace
  /** The workspaces of the account. For an API key, the one that it belongs to. */
  workspaces: { id: string; name: string; role: "owner" | "admin" | "manager" | "member" }[]
  /** What this caller is allowed to do. */
  scopes: ("signatures:read" | "signatures:write" | "signatures:delete" | "teammates:read" | "teammates:write" | "teammates:delete" | "emails:read" | "emails:write" | "emails:delete" | "smart_fields:read" | "smart_fields:write" | "smart_fields:delete" | "folders:read" | "folders:write" | "folders:delete" | "assets:read" | "assets:write" | "assets:delete" | "marketing_campaigns:read" | "marketing_campaigns:write" | "marketing_campaigns:delete" | "webhooks:read" | "webhooks:write" | "webhooks:delete" | "api_keys:read" | "api_keys:write" | "api_keys:delete" | "members:read" | "members:write" | "members:delete" | "integrations:read" | "integrations:write" | "integrations:delete" | "installations:read" | "analytics:read" | "analytics:write" | "financial_documents:read" | "workspace:read" | "workspace:write" | "audit_log:read" | "scim:write")[]
}

export interface Member {
  id: string
  name: string
  email: string
  role: "owner" | "admin" | "manager" | "member"
  /** `invited`: the person has not accepted the invitation yet. */
  status: "active" | "invited"
  /** When the member last used the workspace in a browser, to the minute. */
  last_seen_at: string | null
  created_at: string
  updated_at: string
}

export interface MemberInput {
  email: string
  /** Default: the part of the address before the @. An account that exists brings its own name when the invitation is accepted. */
  name?: string | undefined
  /** Never above the role of the caller. */
  role: "admin" | "manager" | "member"
}

export interface MemberPatch {
  name?: string | undefined
  /** Never above the role of the caller. */
  role?: "admin" | "manager" | "member" | undefined
}

export interface NewApiKey {
  id: string
  name: string
  scopes: string[]
  /** How the key begins, to tell keys apart. */
  prefix: string
  /** Whom the key acts as. */
  member_id: string
  expires_at: string | null
  last_used_at: string | null
  created_at: string
  updated_at: string
  /** The whole key. It is shown this once. */
  key: string
}

export interface NewWebhook {
  id: string
  url: string
  events: WebhookEvents
  /** Only an active webhook gets events. */
  active: boolean
  /** Why the service switched the webhook off. `gone`: the receiver answered 410. `failing`: nothing but failures for 3 days. Null: the service did not. */
  disabled_reason: "gone" | "failing" | null
  disabled_at: string | null
  /** The first failure since the last success; null while deliveries succeed. */
  failing_since: string | null
  created_at: string
  updated_at: string
  /** What requests are signed with. It is shown this once. */
  secret: string
}

export interface Pagination {
  page: number
  limit: number
  total_count: number
  total_pages: number
  /** True when page is less than total_pages. */
  has_more: boolean
}

export interface PersonalPage {
  email_id: string
  /** For the owner of the address. It needs no password: give it to no other person. */
  url: string
  /** When the page got this address. */
  created_at: string
  /** When the address gets old: see `personal_page_link_days` of the workspace. It then shows a button that mails a fresh one. Null: never. */
  expires_at: string | null
}

export interface PictureFetch {
  id: string
  teammate_id: string
  /** The primary address of the teammate. */
  email: string | null
  smart_field_id: string
  url: string
  status: "pending" | "failed"
  /** Why the last attempt failed: `invalid` (not an image, or not a public address), `out_of_range` (too large), `unreachable`, `unavailable` (tried again), `directory_managed`. Null before the first attempt. */
  code: string | null
  message: string | null
  attempts: number
  created_at: string
  updated_at: string
}

export interface PictureRequest {
  kind: "asset" | "icon" | "person" | "qr_code" | "contact_card"
  asset_id?: string | undefined
  smart_field_id?: string | undefined
  /** For `asset` and `person`: the `PictureBox` of the renderer. */
  box?: { width?: number | undefined; height?: number | undefined; shape: "square" | "rounded" | "circle"; halo?: boolean | undefined; crop?: { x: number; y: number; width: number; height: number } | undefined } | undefined
  /** For `icon`: the `IconBox` of the renderer. */
  icon?: { name: IconName; size: number; color: string; backgroundColor: string | null; shape: "square" | "rounded" | "circle" } | undefined
  /** For `qr_code`: the `QrCodeRequest` of the renderer. */
  code?: { content: "vcard" | "href"; size: number; color: string; url?: string | undefined } | undefined
}

export interface PicturesInput {
  /** Whose pictures and contact card. Left out or null: placeholders. */
  email_id?: string | null | undefined
  pictures: PictureRequest[]
}

export interface ProfileChange {
  id: string
  teammate: { id: string; name: string; email: string }
  field: { id: string; label: string; key: string; kind: "text" | "url" | "email" | "phone" | "image" }
  /** The value when the change was requested; null: none. Of an image field: the public address of the picture. */
  before_value: string | null
  /** Of an image field: the asset. Null for other fields. */
  before_asset_id: string | null
  /** What the person asked for; null clears the value. Of an image field: the public address of the picture. */
  after_value: string | null
  /** Of an image field: the asset. Null for other fields. */
  after_asset_id: string | null
  /** While the change is pending: the value now. Afterwards: the value at the decision. Of an image field: the public address of the picture. */
  current_value: string | null
  /** Whether the value has changed between the request and now, or the decision: `current_value` differs from `before_value`. Approving replaces it all the same. */
  changed_meanwhile: boolean
  status: "pending" | "approved" | "rejected"
  /** Why it was rejected. */
  reason: string | null
  /** `personal_page`: without a sign-in. Null: the API itself. */
  requested_via: "mcp" | "personal_page" | null
  requested_at: string
  decided_at: string | null
  /** The member who decided; null while it is pending, and for the command line. */
  decided_by: { member_id: string; name: string | null; email: string | null } | null
  /** The same as `requested_at`. */
  created_at: string
  /** When it was requested or decided. */
  updated_at: string
}

export interface ProfileChangePreview {
  /** The primary address of the person; null when there is none. */
  email_id: string | null
  /** The signature that this address gets for new mail; null when it gets none. */
  signature_id: string | null
  before: { html: string; text: string; bytes: number; warnings: ContentWarning[]; installed_bytes: number } | null
  after: { html: string; text: string; bytes: number; warnings: ContentWarning[]; installed_bytes: number } | null
}

export interface ProfileChangeRejection {
  /** The person reads it, in the mail and on the personal page. */
  reason?: string | null | undefined
}

export interface PublicationRejectionInput {
  /** For the member who asked: shown with the request, and mailed. */
  reason?: string | null | undefined
}

export interface PublicationRequest {
  id: string
  /** `replaced`: a newer request for the same signature and kind, or a publish by an owner or admin, came first. */
  status: "pending" | "approved" | "rejected" | "replaced"
  signature_id: string
  signature_name: string
  /** `primary` is the signature itself, the others are variants. */
  kind: "primary" | "reply" | "internal"
  /** The request is pending, and the draft has changed since: it cannot be approved any more. */
  stale: boolean
  /** The member who asked. The name is kept when the member leaves. */
  requested_by: { member_id: string; name: string | null; email: string | null }
  /** The member who approved, rejected or replaced the request. */
  decided_by: { member_id: string; name: string | null; email: string | null } | null
  decided_at: string | null
  /** Why the request was rejected. */
  reason: string | null
  created_at: string
  updated_at: string
  /** The live content: that of now while the request is pending, later that of the moment of the decision. */
  before: null | Content
  after: Content
}

export interface PublicationRequestListItem {
  id: string
  /** `replaced`: a newer request for the same signature and kind, or a publish by an owner or admin, came first. */
  status: "pending" | "approved" | "rejected" | "replaced"
  signature_id: string
  signature_name: string
  /** `primary` is the signature itself, the others are variants. */
  kind: "primary" | "reply" | "internal"
  /** The request is pending, and the draft has changed since: it cannot be approved any more. */
  stale: boolean
  /** The member who asked. The name is kept when the member leaves. */
  requested_by: { member_id: string; name: string | null; email: string | null }
  /** The member who approved, rejected or replaced the request. */
  decided_by: { member_id: string; name: string | null; email: string | null } | null
  decided_at: string | null
  /** Why the request was rejected. */
  reason: string | null
  created_at: string
  updated_at: string
}

export interface QrCodeBlock {
  type: "qrCode"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  content: "vcard" | "href"
  href?: Href | undefined
  size?: number | undefined
  color?: ContentColor | undefined
}

export interface QueuedReplay {
  webhook_id: string
  /** How many deliveries will be sent again. */
  queued: number
}

export interface ReachedAddress {
  id: string
  address: string
  primary: boolean
  teammate_id: string
  created_at: string
  updated_at: string
  /** The signature that carries it. */
  signature_id: string
  /** Which of the compared banners this address sees. */
  variant_id: string | null
}

export interface Recipient {
  id: string
  address: string
  primary: boolean
  teammate_id: string
  created_at: string
  updated_at: string
  sources: { kind: "manual" | "smart_field" | "integration_entity" | "all_future" | "everybody"; id?: string | undefined }[]
  installation_status: "pending" | "installed" | "drifted" | "failed" | "uninstalled" | null
}

export interface RecipientEmails {
  email_ids: string[]
}

export interface RecipientEntities {
  integration_entity_ids: string[]
}

export interface RecipientRules {
  conditions?: ConditionsInput | undefined
  /** Addresses that are created from now on. */
  assign_to_all_future_emails?: boolean | undefined
  /** All present and future addresses of the workspace. */
  everybody?: boolean | undefined
}

export interface RecipientRulesPreview {
  /** All addresses for which the conditions hold now. */
  matching_emails_count: number
  /** At most the first 50 of them, the oldest first. */
  emails: Email[]
}

export interface RecipientRulesPreviewInput {
  conditions: ConditionsInput
}

export interface RecipientSelection {
  /** Addresses chosen by hand, without those of inactive people. */
  email_ids_count: number
  /** All addresses that the signature reaches: by hand, by rule, by entity or as everybody. Addresses of inactive people are not counted. */
  matching_emails_count: number
  integration_entity_ids: string[]
  conditions: Conditions
  assign_to_all_future_emails: boolean
  everybody: boolean
}

export interface RecordedEvent {
  id: string
  recorded_at: string
  name: string
  value: number | null
  currency: string | null
  /** As it was sent, where it is not a UUID. */
  click_id: string | null
  signature_template_uuid: string | null
  marketing_campaign_uuid: string | null
  teammate_uuid: string | null
  anchor_uuid: string | null
  email_uuid: string | null
  country_code: string | null
  distinct_id: string | null
  anonymous_id: string | null
  properties: {  } | null
  outcome: "counted" | "bot" | "scanner" | "prefetch" | "head"
}

export interface RelayMessage {
  id: string
  /** The relay that the message came through. */
  integration_id: string
  /** `stamped`: passed on with a signature. `passed`: passed on without one. `deferred`: the sender was told to try again. `rejected`: the sender was told to give up. */
  outcome: "stamped" | "passed" | "deferred" | "rejected"
  /** Why the message has no signature, such as `encrypted` or `no_signature`, or why it was not passed on, such as `next_hop`. Null for `stamped`. */
  reason: string | null
  /** The SMTP code that the sender was answered with, such as 250. */
  status: number
  sender_domain: string | null
  /** Each once; at most 100. */
  recipient_domains: string[]
  /** Recipients that the next hop had accepted. */
  recipients_count: number
  /** Null unless `relay_addresses_enabled` of the workspace was on when the message came. */
  sender_address: string | null
  /** The same; at most 100. */
  recipient_addresses: string[] | null
  /** The size of the message as it came. */
  bytes: number
  /** From the last byte of the message until the answer, with the time of the next hop. */
  milliseconds: number
  created_at: string
}

export interface RenderedPerson {
  email_id: string | null
  address: string | null
  values: { smart_field_id: string; value: string | null; has_picture: boolean }[]
  /** The campaigns that run for the address. Blocks that name no campaign show the first. */
  running_campaigns: RunningCampaign[]
  /** The address of this service: the renderer shows its pictures without https too. */
  own_address: string
}

export interface ReplayInput {
  /** Events from this instant (or day, in UTC) on are sent again, at most 30 days back. */
  since: string
}

export interface RootBlock {
  type: "stack"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: StackStyle | undefined
  direction?: "column" | "row" | undefined
  align?: "left" | "center" | "right" | undefined
  verticalAlign?: "top" | "middle" | "bottom" | undefined
  wrap?: boolean | undefined
  /** auto: from the first letter of the person that has a direction */
  dir?: "auto" | "ltr" | "rtl" | undefined
  children?: StackChildren | undefined
}

export interface RunningCampaign {
  campaign_id: string
  variant_id: string | null
}

export interface SignInPolicy {
  /** Members can use the workspace only after single sign-on. API keys go on working, and the operator can always let the owner in. */
  sso_required: boolean
  /** Members must give a second factor, unless they come by single sign-on, whose provider takes care of it. */
  second_factor_required: boolean
  updated_at: string | null
}

export interface SignInPolicyPatch {
  /** Members can use the workspace only after single sign-on. API keys go on working, and the operator can always let the owner in. */
  sso_required?: boolean | undefined
  /** Members must give a second factor, unless they come by single sign-on, whose provider takes care of it. */
  second_factor_required?: boolean | undefined
}

export interface Signature {
  id: string
  name: string
  /** Of the signatures that reach an address, the lowest wins. */
  priority: number
  signature_installation_activated: boolean
  folder_id: string | null
  last_published_at: string | null
  created_at: string
  updated_at: string
  /** The published layout. */
  content: null | Content
  /** The layout that the next publish makes live. */
  draft_content: null | Content
  /** There is a draft, and it differs from the content. */
  has_unpublished_changes: boolean
}

export interface SignatureCheck {
  /** The addresses that the signature reaches. */
  recipients: number
  /** One per cause, the most severe first; at most 100. */
  problems: CheckProblem[]
  /** Live signatures that come first for some of the recipients: these addresses keep them when this one is published. Left out when there are none, and for variants. */
  kept?: { signature_id: string; name: string; priority: number; recipients: number }[] | undefined
}

export interface SignatureDuplicateInput {
  /** Left out: the name of the original with “ (Copy)”. */
  name?: string | undefined
  folder_id?: string | null | undefined
}

export interface SignatureExplanation {
  signature_id: string | null
  variant: string | null
  /** Whether the mail is internal: all recipients are in the own domains of the workspace. */
  internal: boolean
  campaign_id: string | null
  html: string | null
  text: string | null
  candidates: ({ signature_id: string; name: string; priority: number; sources: { kind: "manual" | "smart_field" | "integration_entity" | "all_future" | "everybody"; id?: string | undefined }[]; chosen: boolean; reason_code: "first" | "same_priority" | "later" | "never_published" | "switched_off"; reason: string })[]
}

export interface SignatureInput {
  name: string
  /** Changes the draft alone; null clears it. */
  draft_content?: null | Content | undefined
  folder_id?: string | null | undefined
  /** The lowest wins. Left out when created: after all others. */
  priority?: number | undefined
  /** The slug of a template (`GET /v1/templates`): the draft is the template, filled with the brand. Not together with `draft_content`. */
  template_id?: string | undefined
}

export interface SignatureListItem {
  id: string
  name: string
  /** Of the signatures that reach an address, the lowest wins. */
  priority: number
  signature_installation_activated: boolean
  folder_id: string | null
  last_published_at: string | null
  created_at: string
  updated_at: string
  /** The published layout. */
  content?: null | Content | undefined
  /** The layout that the next publish makes live. */
  draft_content?: null | Content | undefined
}

export interface SignaturePatch {
  name?: string | undefined
  /** Changes the draft alone; null clears it. */
  draft_content?: null | Content | undefined
  folder_id?: string | null | undefined
  /** The lowest wins. Left out when created: after all others. */
  priority?: number | undefined
}

export interface SignaturePublishInput {
  /** Publish even if `check` reports an error. */
  force?: boolean | undefined
}

export interface SignatureVariant {
  kind: "reply" | "internal"
  /** False until it is made: then all else is null or false. */
  exists: boolean
  id: string | null
  /** False: the primary signature is used. */
  activated: boolean
  /** True: no signature on this kind of mail. */
  hidden: boolean
  show_marketing_campaigns: boolean
  /** The published layout. */
  content: null | Content
  /** The layout that the next publish makes live. */
  draft_content: null | Content
  last_published_at: string | null
  created_at: string | null
  updated_at: string | null
}

export interface SignatureVariantPatch {
  /** Changes the draft alone; null clears it. */
  draft_content?: null | Content | undefined
  activated?: boolean | undefined
  hidden?: boolean | undefined
  show_marketing_campaigns?: boolean | undefined
}

export interface SignatureVariantPublishInput {
  /** Publish even if `check` reports an error. */
  force?: boolean | undefined
  /** Left out: the first publish switches the variant on, later ones leave the switch as it is. */
  activated?: boolean | undefined
}

export interface SignatureVersion {
  id: string
  /** From 1, without gaps. */
  number: number
  published_at: string
  /** The address of the member who published it. */
  published_by: string
  /** Where its draft came from, if from another version. */
  note: string | null
  content: Content
}

export interface SignatureVersionListItem {
  id: string
  /** From 1, without gaps. */
  number: number
  published_at: string
  /** The address of the member who published it. */
  published_by: string
  /** Where its draft came from, if from another version. */
  note: string | null
}

export interface SmartField {
  id: string
  label: string
  /** A name for programs, made from the first label; it never changes. */
  key: string
  kind: "text" | "url" | "email" | "phone" | "image"
  /** Every teammate should have a value; `missing_smart_field_id` finds those who lack it. */
  required: boolean
  /** Built in: every workspace has it, and it cannot be deleted. */
  default: boolean
  fallback: string | null
  integration_id: string | null
  integration_attribute: string | null
  /** Whether people change this value of their own: on their personal page, and members by the API. Default: false. */
  editable_by_owner: boolean
  /** Of changes that people make of their own values: `none` writes them at once, `required` waits for a manager (`/v1/profile_changes`). Default: none. */
  approval: "none" | "required"
  created_at: string
  updated_at: string
}

export interface SmartFieldInput {
  label: string
  /** Default: text. */
  kind?: "text" | "url" | "email" | "phone" | "image" | undefined
  required?: boolean | undefined
  fallback?: string | null | undefined
  /** The directory that fills this field. Null: values are written by hand. */
  integration_id?: string | null | undefined
  /** Which attribute fills it: see `GET /v1/integrations/{id}/attributes`. Image fields take `photo`. */
  integration_attribute?: string | null | undefined
  /** Whether people change this value of their own: on their personal page, and members by the API. Default: false. */
  editable_by_owner?: boolean | undefined
  /** Of changes that people make of their own values: `none` writes them at once, `required` waits for a manager (`/v1/profile_changes`). Default: none. */
  approval?: "none" | "required" | undefined
}

export interface SmartFieldPatch {
  label?: string | undefined
  /** Default: text. */
  kind?: "text" | "url" | "email" | "phone" | "image" | undefined
  required?: boolean | undefined
  fallback?: string | null | undefined
  /** The directory that fills this field. Null: values are written by hand. */
  integration_id?: string | null | undefined
  /** Which attribute fills it: see `GET /v1/integrations/{id}/attributes`. Image fields take `photo`. */
  integration_attribute?: string | null | undefined
  /** Whether people change this value of their own: on their personal page, and members by the API. Default: false. */
  editable_by_owner?: boolean | undefined
  /** Of changes that people make of their own values: `none` writes them at once, `required` waits for a manager (`/v1/profile_changes`). Default: none. */
  approval?: "none" | "required" | undefined
}

export interface SmartFieldUsage {
  smart_field_id: string
  /** Active people without a value. */
  missing_count: number
  used_in: { kind: "signature" | "variant" | "rule" | "campaign"; id: string; name: string | null }[]
}

/** Values by smart field; null or an empty text clears one. Values of fields that a directory syncs have no effect: the answer names them in `ignored`. */
export type SmartFieldValues = { smart_field_id?: string | undefined; smart_field?: string | undefined; value: string | null }[]

/** The icon. */
export type SocialIcon = "android" | "apple" | "behance" | "bluesky" | "app-store" | "discord" | "dribbble" | "facebook" | "facebook-f" | "facebook-messenger" | "flickr" | "github" | "gitlab" | "google" | "google-play" | "instagram" | "line" | "linkedin" | "linkedin-in" | "mastodon" | "medium" | "microsoft" | "pinterest" | "pinterest-p" | "product-hunt" | "reddit" | "researchgate" | "skype" | "slack" | "snapchat" | "soundcloud" | "spotify" | "stack-overflow" | "telegram" | "threads" | "tiktok" | "tumblr" | "twitch" | "vimeo-v" | "weixin" | "whatsapp" | "x-twitter" | "xing" | "yelp" | "youtube" | "address-card" | "at" | "award" | "bell" | "bolt" | "book-open" | "briefcase" | "building" | "bullhorn" | "calendar" | "calendar-check" | "cart-shopping" | "circle-check" | "circle-info" | "clock" | "comment" | "download" | "envelope" | "fax" | "gift" | "globe" | "graduation-cap" | "handshake" | "headset" | "heart" | "house" | "image" | "leaf" | "link" | "location-dot" | "map" | "microphone" | "mobile" | "mobile-screen" | "newspaper" | "paper-plane" | "phone" | "plane" | "play" | "print" | "quote-left" | "rss" | "shield-halved" | "star" | "tag" | "ticket" | "user" | "users" | "video"

export interface SocialLink {
  name: SocialIcon
  /** Where the icon leads: https, http, mailto, tel or sms. */
  href: string
}

export interface SocialListBlock {
  type: "socialList"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  iconSize?: number | undefined
  color?: ContentColor | undefined
  backgroundColor?: ContentColor | undefined
  shape?: "square" | "rounded" | "circle" | undefined
  align?: "left" | "center" | "right" | undefined
  children?: SocialListItemBlock[] | undefined
}

export interface SocialListItemBlock {
  type: "socialListItem"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  name: IconName
  href: Href
  alt?: string | undefined
}

/** SAML: the certificates that the provider signs with, in PEM. Several are possible, for the time in which the provider changes from one to the next. */
export type SsoCertificates = string[]

export interface SsoCheck {
  /** No step has failed. */
  ok: boolean
  steps: { name: string; status: "ok" | "warning" | "failed" | "skipped"; message: string; remedy: string | null }[]
}

/** An identity provider of the workspace. Its secret is never shown. */
export interface SsoConnection {
  id: string
  kind: "oidc" | "saml"
  /** Shown on the sign-in page. */
  name: string
  /** Only an active connection signs people in. Default: true. */
  active: boolean
  /** OIDC: the address of the provider, as its discovery document names it. SAML: its entity id. */
  issuer: string
  /** OIDC: the id that the provider has given to this service. */
  client_id: string | null
  has_client_secret: boolean
  scopes: SsoScopes
  /** SAML: where the browser is sent, by HTTP-Redirect. */
  sso_url: string | null
  certificates: SsoCertificates
  /** SAML: where the metadata was read. */
  metadata_url: string | null
  /** SAML: sign-ins that begin at the provider are accepted. A page of another site can then sign a browser in unasked. Default: false. */
  idp_initiated: boolean
  /** The claim or attribute with the email address; null: its usual names. */
  email_claim: string | null
  /** The claim or attribute with the groups, such as `groups` or `realm_access.roles`; null: none. */
  group_claim: string | null
  group_roles: SsoGroupRoles
  /** For people without such a group. Null: they are refused, unless the workspace has no group at all and they are members. */
  default_role: "admin" | "manager" | "member" | null
  allowed_domains: SsoDomains
  /** Addresses of `allowed_domains` count as confirmed although the provider does not say so. Needed for Microsoft Entra ID and for SAML. Default: true for SAML, false for OIDC. */
  trust_email: boolean
  /** A person of `allowed_domains` who is not a member becomes one at the first sign-in. Default: false. */
  just_in_time: boolean
  /** The owner of the workspace can sign in through the connection. True after the owner or the operator has created it, or has changed which persons the provider can name; false after another member has. Only the owner sets it. */
  owner_trusted: boolean
  /** Opens the provider in a browser. */
  sign_in_url: string
  /** For the provider: the redirect URI (OIDC), or the assertion consumer service (SAML). */
  callback_url: string
  entity_id: string | null
  tested_at: string | null
  last_sign_in_at: string | null
  /** The last sign-in that this service refused. `message` has the exact reason, which the person who signed in was not shown. */
  last_refusal: { code: "unknown_connection" | "no_attempt" | "provider_unreachable" | "provider_refused" | "invalid_answer" | "no_address" | "unverified_address" | "domain_not_allowed" | "not_a_member" | "address_linked" | "owner_not_trusted" | "invitation_needed" | "other_account" | "no_role"; message: string; at: string } | null
  created_at: string
  updated_at: string
}

export interface SsoConnectionInput {
  kind: "oidc" | "saml"
  /** Shown on the sign-in page. */
  name: string
  /** Only an active connection signs people in. Default: true. */
  active?: boolean | undefined
  /** OIDC: the address of the provider, as its discovery document names it. SAML: its entity id. */
  issuer?: string | undefined
  /** OIDC: the id that the provider has given to this service. */
  client_id?: string | undefined
  /** OIDC: stored encrypted and never shown. Null for a client without a secret. */
  client_secret?: string | null | undefined
  scopes?: SsoScopes | undefined
  /** SAML: where the browser is sent, by HTTP-Redirect. */
  sso_url?: string | undefined
  certificates?: SsoCertificates | undefined
  /** SAML: read now, instead of `issuer`, `sso_url` and `certificates`. Send it again when the provider changes its certificate. */
  metadata_url?: string | undefined
  /** SAML: the metadata of the provider, instead of `issuer`, `sso_url` and `certificates`. */
  metadata_xml?: string | undefined
  /** SAML: sign-ins that begin at the provider are accepted. A page of another site can then sign a browser in unasked. Default: false. */
  idp_initiated?: boolean | undefined
  /** The claim or attribute with the email address; null: its usual names. */
  email_claim?: string | null | undefined
  /** The claim or attribute with the groups, such as `groups` or `realm_access.roles`; null: none. */
  group_claim?: string | null | undefined
  group_roles?: SsoGroupRoles | undefined
  /** For people without such a group. Null: they are refused, unless the workspace has no group at all and they are members. */
  default_role?: "admin" | "manager" | "member" | null | undefined
  allowed_domains?: SsoDomains | undefined
  /** Addresses of `allowed_domains` count as confirmed although the provider does not say so. Needed for Microsoft Entra ID and for SAML. Default: true for SAML, false for OIDC. */
  trust_email?: boolean | undefined
  /** A person of `allowed_domains` who is not a member becomes one at the first sign-in. Default: false. */
  just_in_time?: boolean | undefined
}

export interface SsoConnectionPatch {
  /** Shown on the sign-in page. */
  name?: string | undefined
  /** Only an active connection signs people in. Default: true. */
  active?: boolean | undefined
  /** OIDC: the address of the provider, as its discovery document names it. SAML: its entity id. */
  issuer?: string | undefined
  /** OIDC: the id that the provider has given to this service. */
  client_id?: string | undefined
  /** OIDC: stored encrypted and never shown. Null for a client without a secret. */
  client_secret?: string | null | undefined
  scopes?: SsoScopes | undefined
  /** SAML: where the browser is sent, by HTTP-Redirect. */
  sso_url?: string | undefined
  certificates?: SsoCertificates | undefined
  /** SAML: read now, instead of `issuer`, `sso_url` and `certificates`. Send it again when the provider changes its certificate. */
  metadata_url?: string | undefined
  /** SAML: the metadata of the provider, instead of `issuer`, `sso_url` and `certificates`. */
  metadata_xml?: string | undefined
  /** SAML: sign-ins that begin at the provider are accepted. A page of another site can then sign a browser in unasked. Default: false. */
  idp_initiated?: boolean | undefined
  /** The claim or attribute with the email address; null: its usual names. */
  email_claim?: string | null | undefined
  /** The claim or attribute with the groups, such as `groups` or `realm_access.roles`; null: none. */
  group_claim?: string | null | undefined
  group_roles?: SsoGroupRoles | undefined
  /** For people without such a group. Null: they are refused, unless the workspace has no group at all and they are members. */
  default_role?: "admin" | "manager" | "member" | null | undefined
  allowed_domains?: SsoDomains | undefined
  /** Addresses of `allowed_domains` count as confirmed although the provider does not say so. Needed for Microsoft Entra ID and for SAML. Default: true for SAML, false for OIDC. */
  trust_email?: boolean | undefined
  /** A person of `allowed_domains` who is not a member becomes one at the first sign-in. Default: false. */
  just_in_time?: boolean | undefined
  /** The owner of the workspace can sign in through the connection. True after the owner or the operator has created it, or has changed which persons the provider can name; false after another member has. Only the owner sets it. */
  owner_trusted?: boolean | undefined
}

/** Only people with an address of these domains can sign in. Empty: of any. */
export type SsoDomains = string[]

/** The role of each group; of several, the highest counts. With at least one, the role of a member follows the groups at each sign-in. The owner keeps the role. */
export type SsoGroupRoles = { group: string; role: "admin" | "manager" | "member" }[]

/** OIDC: what is asked of the provider. Contains `openid`. Default: `openid`, `email`, `profile`. */
export type SsoScopes = string[]

export interface StackBlock {
  type: "stack"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: StackStyle | undefined
  direction?: "column" | "row" | undefined
  align?: "left" | "center" | "right" | undefined
  verticalAlign?: "top" | "middle" | "bottom" | undefined
  wrap?: boolean | undefined
  children?: StackChildren | undefined
}

export type StackChildren = (StackBlock | TextBlock | ImageBlock | IconBlock | ButtonBlock | ListBlock | SocialListBlock | DividerBlock | QrCodeBlock | MarketingBlock)[]

export interface StackStyle {
  marginTop?: number | undefined
  marginRight?: number | undefined
  marginBottom?: number | undefined
  marginLeft?: number | undefined
  paddingTop?: number | undefined
  paddingRight?: number | undefined
  paddingBottom?: number | undefined
  paddingLeft?: number | undefined
  backgroundColor?: ContentColor | undefined
  gap?: number | undefined
  width?: number | undefined
  align?: "left" | "center" | "right" | undefined
  borderColor?: ContentColor | undefined
  borderWidth?: number | undefined
  borderRadius?: number | undefined
}

export interface StoredRecipientRules {
  conditions: Conditions
  assign_to_all_future_emails: boolean
  everybody: boolean
}

export interface SyncRequest {
  /** Which directory to read. Default: the one that decides who is a teammate. */
  integration_id?: string | undefined
  /** Writes nothing: the counts of the run say what would change. */
  dry_run?: boolean | undefined
}

export interface SyncRun {
  id: string
  integration_id: string
  /** `full`: all people were read. `delta`: what had changed. `dry`: all people were read, and nothing was written; the counts say what would change. */
  kind: "full" | "delta" | "dry"
  /** What began the run. */
  trigger: "schedule" | "request" | "import"
  /** `held`: people who joined or changed are written, and the others wait for an approval. `approved`: they left after it. `superseded`: a later run found another state. `failed`: it did not end; what was written stays, and no person left. */
  status: "running" | "succeeded" | "held" | "approved" | "superseded" | "failed"
  /** People whom the directory named. */
  people_seen: number
  /** People who became teammates, or came back. */
  people_added: number
  /** Teammates with other values or addresses. */
  people_changed: number
  /** Teammates who became active. */
  people_reactivated: number
  /** Teammates who became inactive, because they are suspended in the directory. */
  people_deactivated: number
  /** People who are not in the directory any more: they are removed after a grace. */
  people_missing: number
  /** People who were removed, because their grace was over. */
  people_removed: number
  /** People who would leave, and wait for an approval. */
  people_held: number
  /** Org units and groups that are new. */
  entities_added: number
  /** Org units and groups with another name or place. */
  entities_changed: number
  /** Org units and groups that are not there any more. */
  entities_removed: number
  /** People who were added to org units and groups. */
  members_added: number
  /** People who were removed from org units and groups. */
  members_removed: number
  /** Removals from groups in use that wait for an approval. */
  members_held: number
  /** Problems of single people, all of them. */
  problem_count: number
  held_reason: string | null
  /** Such as `access_lost`, `unavailable` or `invalid_answer`. */
  error_code: string | null
  /** What happened, and what to do, in words. */
  error_message: string | null
  /** Of a CSV directory: the import of the file. */
  import_id: string | null
  /** When it was approved. */
  decided_at: string | null
  started_at: string | null
  ended_at: string | null
  created_at: string
  updated_at: string
  /** The first 1,000 problems that exist at the end of the run, and the first 1,000 held people. */
  problems: { kind: "conflict" | "unusable" | "no_seat" | "held"; external_id: string | null; teammate_id: string | null; address: string | null; integration_entity_id: string | null; field: string | null; message: string }[]
  /** Of a dry run: the first 200 people of each change. Other runs have none; the audit log lists what they changed. */
  preview: { change: "added" | "changed" | "reactivated" | "deactivated" | "missing"; external_id: string; teammate_id: string | null; address: string }[]
}

export interface SyncRunSummary {
  id: string
  integration_id: string
  /** `full`: all people were read. `delta`: what had changed. `dry`: all people were read, and nothing was written; the counts say what would change. */
  kind: "full" | "delta" | "dry"
  /** What began the run. */
  trigger: "schedule" | "request" | "import"
  /** `held`: people who joined or changed are written, and the others wait for an approval. `approved`: they left after it. `superseded`: a later run found another state. `failed`: it did not end; what was written stays, and no person left. */
  status: "running" | "succeeded" | "held" | "approved" | "superseded" | "failed"
  /** People whom the directory named. */
  people_seen: number
  /** People who became teammates, or came back. */
  people_added: number
  /** Teammates with other values or addresses. */
  people_changed: number
  /** Teammates who became active. */
  people_reactivated: number
  /** Teammates who became inactive, because they are suspended in the directory. */
  people_deactivated: number
  /** People who are not in the directory any more: they are removed after a grace. */
  people_missing: number
  /** People who were removed, because their grace was over. */
  people_removed: number
  /** People who would leave, and wait for an approval. */
  people_held: number
  /** Org units and groups that are new. */
  entities_added: number
  /** Org units and groups with another name or place. */
  entities_changed: number
  /** Org units and groups that are not there any more. */
  entities_removed: number
  /** People who were added to org units and groups. */
  members_added: number
  /** People who were removed from org units and groups. */
  members_removed: number
  /** Removals from groups in use that wait for an approval. */
  members_held: number
  /** Problems of single people, all of them. */
  problem_count: number
  held_reason: string | null
  /** Such as `access_lost`, `unavailable` or `invalid_answer`. */
  error_code: string | null
  /** What happened, and what to do, in words. */
  error_message: string | null
  /** Of a CSV directory: the import of the file. */
  import_id: string | null
  /** When it was approved. */
  decided_at: string | null
  started_at: string | null
  ended_at: string | null
  created_at: string
  updated_at: string
}

export interface Teammate {
  id: string
  /** The primary address. */
  email: string
  emails: Email[]
  /** Every smart field of the workspace; `value` is null where the teammate has none. */
  smart_fields: { smart_field_id: string; label: string; value: string | null; asset_id?: string | null | undefined }[]
  source: "manual" | "directory"
  integration_id: string | null
  active: boolean
  created_at: string
  updated_at: string
}

export interface TeammateActivityChanged {
  /** People whose state is another one now. */
  changed: number
  /** People who had this state already. */
  unchanged: number
  /** Ids of no teammate, such as one that was deleted. */
  unknown: string[]
}

export interface TeammateActivityInput {
  /** Teammates. */
  ids: string[]
}

export interface TeammateChange {
  id: string
  status: "pending" | "done" | "failed"
  /** People to change. */
  matched: number
  /** Those that are done. */
  processed: number
  changed: number
  unchanged: number
  /** Those who were deleted meanwhile. */
  missing: number
  /** Why it has failed. */
  message: string | null
  created_at: string
  updated_at: string
  finished_at: string | null
}

export interface TeammateImage {
  /** The bytes of a PNG, JPEG, GIF, WebP or SVG: at most 15 MB, 25 megapixels and 100 frames (40 megapixels together). Either this, with `filename`, or `source_url`. */
  file_base64?: FileInput | string | null | undefined
  filename?: string | null | undefined
  /** A public http(s) address to fetch the file from, within 10 seconds. */
  source_url?: string | null | undefined
  /** An image of the library, instead of a file. */
  asset_id?: string | null | undefined
  /** The part that is shown. Unless given, a square around what people look at. */
  crop?: { x: number; y: number; width: number; height: number } | null | undefined
}

export interface TeammateImport {
  /** Rows like the `teammate` of a create. */
  teammates: unknown[]
}

export interface TeammateInput {
  email: string
  smart_fields?: SmartFieldValues | undefined
}

export interface TeammatePatch {
  email?: string | undefined
  smart_fields?: SmartFieldValues | undefined
}

export interface TeammatesChanged {
  dry_run: boolean
  /** People that the request selects. */
  matched: number
  /** Those whose values change. */
  changed: number
  /** Those who have all these values already. */
  unchanged: number
  failed_count: number
  /** The first 50, each with the reason. */
  failed: { teammate_id: string; details: unknown[] }[]
  /** Stands for exactly these people. */
  token: string
  /** The record of the change; null for a dry run. */
  change_id: string | null
}

export interface TeammatesPatch {
  /** Either this or `filter`. */
  ids?: string[] | undefined
  /** The filters of the list; `{}` selects all. They can find up to 100,000 people. */
  filter?: { search?: string | undefined; source?: "manual" | "directory" | undefined; active?: boolean | undefined; smart_field_id?: string | undefined; smart_field?: string | undefined; smart_field_value?: string | undefined; missing_smart_field_id?: string | undefined; missing_smart_field?: string | undefined; signature_id?: string | undefined; updated_since?: string | undefined } | undefined
  /** The same for all. Pictures can only be cleared: each person has their own. */
  changes: { smart_fields?: SmartFieldValues | undefined }
  /** Only tells what would happen, and gives the `token`. */
  dry_run?: boolean | undefined
  /** From the dry run: the change is refused when the filter finds other people now. */
  token?: string | undefined
}

export interface Template {
  /** The slug: `template_id` of a new signature. */
  id: string
  name: string
  description: string
  category: "corporate" | "sales" | "creative" | "legal" | "health" | "education" | "minimal" | "reply" | "internal"
  content: Content
  /** The labels of the smart fields that it shows. */
  fields: string[]
  /** A PNG with sample data, public and cacheable. */
  thumbnail_url: string
}

export interface TestEmailInput {
  /** Whose values to fill in. Left out: placeholders. */
  email_id?: string | undefined
  /** Addresses of teammates or members of this workspace. Left out: your own. */
  to?: string[] | undefined
}

export interface TestEmailReceipt {
  /** The addresses, separated by commas. */
  sent_to: string
}

export interface TextBlock {
  type: "text"
  id?: string | undefined
  visible?: boolean | undefined
  displayName?: string | undefined
  blockStyle?: BlockStyle | undefined
  tokens: Token[]
  align?: "left" | "center" | "right" | undefined
}

export interface TextStyle {
  fontSize?: number | undefined
  color?: ContentColor | undefined
  /** Pixels; below 4 a multiple of fontSize */
  lineHeight?: number | undefined
  fontFamily?: "Arial" | "Calibri" | "Courier New" | "Garamond" | "Georgia" | "Helvetica" | "Lucida Sans" | "Palatino" | "Segoe UI" | "Tahoma" | "Times New Roman" | "Trebuchet MS" | "Verdana" | undefined
  fontWeight?: "normal" | "bold" | undefined
  fontStyle?: "normal" | "italic" | undefined
  textDecoration?: "none" | "underline" | "line-through" | undefined
  textTransform?: "none" | "uppercase" | "lowercase" | "capitalize" | undefined
  letterSpacing?: number | undefined
}

export interface Token {
  id?: string | undefined
  type?: "textToken" | "smartFieldToken" | undefined
  value?: string | undefined
  smartFieldUuid?: string | undefined
  fallback?: string | undefined
  prefix?: string | undefined
  suffix?: string | undefined
  textStyle?: TextStyle | undefined
  href?: Href | undefined
}

export interface Visitor {
  distinct_id: string
  traits: {  } | null
  event_count: number
  value: number
  first_seen_at: string
  last_seen_at: string
}

/** An address of yours that is told about changes. */
export interface Webhook {
  id: string
  url: string
  events: WebhookEvents
  /** Only an active webhook gets events. */
  active: boolean
  /** Why the service switched the webhook off. `gone`: the receiver answered 410. `failing`: nothing but failures for 3 days. Null: the service did not. */
  disabled_reason: "gone" | "failing" | null
  disabled_at: string | null
  /** The first failure since the last success; null while deliveries succeed. */
  failing_since: string | null
  created_at: string
  updated_at: string
}

/** One event for one webhook, with the result of the last attempt. */
export interface WebhookDelivery {
  id: string
  webhook_id: string
  /** The header `webhook-id` of every attempt. */
  message_id: string
  event: WebhookEventName
  /** `pending`: an attempt follows. `failed`: no attempt follows, unless it is replayed. */
  state: "pending" | "delivered" | "failed"
  /** Since the event, or since the last replay. */
  attempts: number
  next_attempt_at: string | null
  /** The status that the receiver answered to the last attempt. Its body is never stored. */
  response_status: number | null
  /** Why the last attempt failed. */
  problem: "gone" | "rate_limited" | "redirect" | "refused" | "server_error" | "timeout" | "unreachable" | "not_public" | "secret_unreadable" | null
  duration_ms: number | null
  attempted_at: string | null
  created_at: string
}

export interface WebhookDeliveryWithPayload {
  id: string
  webhook_id: string
  /** The header `webhook-id` of every attempt. */
  message_id: string
  event: WebhookEventName
  /** `pending`: an attempt follows. `failed`: no attempt follows, unless it is replayed. */
  state: "pending" | "delivered" | "failed"
  /** Since the event, or since the last replay. */
  attempts: number
  next_attempt_at: string | null
  /** The status that the receiver answered to the last attempt. Its body is never stored. */
  response_status: number | null
  /** Why the last attempt failed. */
  problem: "gone" | "rate_limited" | "redirect" | "refused" | "server_error" | "timeout" | "unreachable" | "not_public" | "secret_unreadable" | null
  duration_ms: number | null
  attempted_at: string | null
  created_at: string
  /** The body of every attempt. */
  payload: { type: WebhookEventName; timestamp: string; data: {  } }
}

export type WebhookEventName = "signature.published" | "signature.deactivated" | "installation.succeeded" | "installation.failed" | "installation.drifted" | "teammate.created" | "teammate.updated" | "teammate.deleted" | "marketing_campaign.started" | "marketing_campaign.ended" | "marketing_campaign.paused" | "directory.synced" | "sync.held" | "integration.error" | "profile_change.requested" | "publication.requested" | "webhook.test"

/** The events that are sent to this webhook. `webhook.test` is always sent on request. */
export type WebhookEvents = WebhookEventName[]

export interface WebhookInput {
  /** Where events are posted to: a public address that begins with https:// or http://. */
  url: string
  events: WebhookEvents
  /** Default: true. */
  active?: boolean | undefined
}

export interface WebhookPatch {
  /** Where events are posted to: a public address that begins with https:// or http://. */
  url?: string | undefined
  events?: WebhookEvents | undefined
  /** Default: true. */
  active?: boolean | undefined
}

export interface Workspace {
  id: string
  plan: { tier: string; kind: string; status: string; billing_interval: string | null; cancel_at_period_end: boolean; started_at: string | null; ends_at: string | null }
  /** Active teammates. */
  seat_count: number
  seats: { now: number; max_this_month: number; limit: number | null }
  event_tracking: { id: string; enabled: boolean; click_parameter: string }
  name: string
  /** The own domains of the company: mail among them is internal. Stored in lower case, umlauts as Punycode. */
  domains: string[]
  /** A name of the IANA, such as `Europe/Berlin`. Mails write times in it. */
  time_zone: string
  /** The language of mails to people who have chosen none, and the form of dates: a tag of BCP 47 such as `en`, `de` or `de-AT`. Mails are written in English and German; other languages get English ones. */
  locale: string
  /** The URL parameter that passes the click id to web pages: 1 to 64 letters, digits, `_`, `.` or `-`, beginning with a letter or `_`. */
  click_parameter: string
  /** Whether every address has a private page where its owner can copy the signature. */
  personal_page_enabled: boolean
  /** After so many days the link of a personal page shows a button that mails a fresh link to the address; null: links never get old. */
  personal_page_link_days: number | null
  /** How many days single events are kept; null is for ever. The counts stay. */
  event_retention_days: number | null
  /** The sender name of the mails of this workspace. Null: the name of the workspace. */
  mail_sender_name: string | null
  /** `required`: when a manager publishes a signature, an owner or another admin has to approve it first. `none`: managers publish by themselves. */
  publish_approval: "none" | "required"
  /** What people with the role `member` see: `own`, their own signature and data only; `read`, everything that the role includes. `own` in new workspaces. */
  member_access: "own" | "read"
  /** Whether `GET /v1/relay_messages` keeps the addresses of senders and recipients for 7 days, and not only their domains. */
  relay_addresses_enabled: boolean
  /** The domains that mail is internal among: `domains`, and those that the connected directories name. */
  own_domains: string[]
  created_at: string
  updated_at: string
}

export interface WorkspacePatch {
  /** The name of the company, as people see it in mails and on pages. */
  name?: string | undefined
  /** The own domains of the company: mail among them is internal. Stored in lower case, umlauts as Punycode. */
  domains?: string[] | undefined
  /** A name of the IANA, such as `Europe/Berlin`. Mails write times in it. */
  time_zone?: string | undefined
  /** The language of mails to people who have chosen none, and the form of dates: a tag of BCP 47 such as `en`, `de` or `de-AT`. Mails are written in English and German; other languages get English ones. */
  locale?: string | undefined
  /** The URL parameter that passes the click id to web pages: 1 to 64 letters, digits, `_`, `.` or `-`, beginning with a letter or `_`. */
  click_parameter?: string | undefined
  /** Whether every address has a private page where its owner can copy the signature. */
  personal_page_enabled?: boolean | undefined
  /** After so many days the link of a personal page shows a button that mails a fresh link to the address; null: links never get old. */
  personal_page_link_days?: number | null | undefined
  /** How many days single events are kept; null is for ever. The counts stay. */
  event_retention_days?: number | null | undefined
  /** The sender name of the mails of this workspace. Null: the name of the workspace. */
  mail_sender_name?: string | null | undefined
  /** `required`: when a manager publishes a signature, an owner or another admin has to approve it first. `none`: managers publish by themselves. */
  publish_approval?: "none" | "required" | undefined
  /** What people with the role `member` see: `own`, their own signature and data only; `read`, everything that the role includes. `own` in new workspaces. */
  member_access?: "own" | "read" | undefined
  /** Whether `GET /v1/relay_messages` keeps the addresses of senders and recipients for 7 days, and not only their domains. */
  relay_addresses_enabled?: boolean | undefined
  /** Properties that are left out stay as they are. */
  event_tracking?: { enabled?: boolean | undefined; click_parameter?: string | undefined } | undefined
}
