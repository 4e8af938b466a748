// What people would not see of a campaign. The same warnings are answered before it starts, with its audience, and when it
// is scheduled or resumed.
import { countChosen, signaturesWinningOver } from '#features/signatures/recipients/index.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { type BannerViewer, compileTargeting } from '../banners/choose.ts'
import { assertAllowed } from '../lifecycle/states.ts'
import { type CampaignStart, fieldsAfter } from '../lifecycle/transitions.ts'
import { type CampaignPreview, type CampaignPreviewDeps, noMail, previewCampaign } from '../previews.ts'
import {
  type CampaignFields,
  findStoredCampaign,
  overlappingCampaigns,
  type StoredCampaign,
} from '../queries.ts'
import { advanceTo, fieldsOf } from '../rules.ts'
import type { CampaignWarning } from '../schemas.ts'
import { canShow, liveSignatureSlots, type SlottedSignature } from './queries.ts'
import { targetedAddresses } from './rules.ts'

interface WarningDeps extends CampaignPreviewDeps {
  readonly now: () => Date
}

/** Throws when the campaign cannot be scheduled or resumed now. */
export async function warningsBefore(
  db: Db,
  workspaceId: string,
  id: string,
  action: CampaignStart,
  deps: WarningDeps,
): Promise<readonly CampaignWarning[]> {
  const campaign = orNotFound(await findStoredCampaign(db, workspaceId, id))
  const now = deps.now()
  const fields = advanceTo(fieldsOf(campaign), now)
  assertAllowed(action, fields, now)
  return warningsOf(db, workspaceId, campaign, fieldsAfter(action, fields, now), deps)
}

/** Compares as if a draft were scheduled, or a paused campaign resumed, now. */
export async function plannedWarnings(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
  deps: WarningDeps,
): Promise<readonly CampaignWarning[]> {
  const now = deps.now()
  const fields = advanceTo(fieldsOf(campaign), now)
  if (fields.status === 'ended') return []
  const isStarted = fields.status === 'scheduled' || fields.status === 'active'
  const action = fields.status === 'paused' ? 'resume' : 'schedule'
  const planned = isStarted ? fields : fieldsAfter(action, fields, now)
  return warningsOf(db, workspaceId, campaign, planned, deps)
}

type Warn = (
  code: CampaignWarning['code'],
  message: string,
  more?: Partial<Pick<CampaignWarning, 'signatures' | 'campaigns'>>,
) => void

async function warningsOf(
  db: Db,
  workspaceId: string,
  campaign: StoredCampaign,
  fields: CampaignFields,
  deps: WarningDeps,
): Promise<readonly CampaignWarning[]> {
  const warnings: CampaignWarning[] = []
  const warn: Warn = (code, message, more = {}) =>
    warnings.push({ code, message, id: null, signatures: [], campaigns: [], ...more })
  const live = await liveSignatureSlots(db, workspaceId, campaign.signature_template_ids)
  const [showing, slotless] = [true, false].map(shows =>
    live.filter(signature => canShow(signature, campaign.id) === shows),
  ) as [SlottedSignature[], SlottedSignature[]]
  const reaches = addressFinder(db, workspaceId, campaign)
  if ((await reaches(showing)) === false) warn('no_audience', 'No address would show this campaign now.')
  const missing: CampaignWarning['signatures'] = []
  for (const signature of slotless) {
    const { id, name } = signature
    if ((await isUsed(db, workspaceId, id)) && (await reaches([signature]))) missing.push({ id, name })
  }
  warnOfSlots(missing, warn)
  const preview = await previewCampaign(db, workspaceId, campaign.id, undefined, deps)
  if (isEmpty(campaign, preview)) warn('no_banner', 'The campaign has no banner: it runs and shows nothing.')
  const start = (fields.status === 'scheduled' ? fields.start : fields.startedAt) ?? deps.now()
  // A block that names this campaign shows no other one.
  const shared = showing.filter(({ slots }) => slots.includes(null) && !slots.includes(campaign.id))
  const others = await overlappingCampaigns(db, workspaceId, campaign.id, start, fields.end)
  await warnOfOverlaps(others, shared, reaches, warn)
  if (preview.warnings.some(({ code }) => code === noMail.code)) warn(noMail.code, noMail.message)
  return warnings
}

const pageSize = 200
/** All questions of one request together look at 20,000 addresses. A warning that would need more is left out. */
const maxPages = 100

/** True if the campaign targets an address that gets one of these signatures. Undefined: not known. */
type Reaches = (
  signatures: readonly SlottedSignature[],
  isMeant?: (viewer: BannerViewer) => boolean | Promise<boolean>,
) => Promise<boolean | undefined>

function addressFinder(db: Db, workspaceId: string, campaign: StoredCampaign): Reaches {
  let pagesLeft = maxPages
  return async (signatures, isMeant = () => true) => {
    const ids = signatures.map(({ id }) => id)
    for await (const targeted of targetedAddresses(db, workspaceId, campaign, ids, pageSize)) {
      for (const address of targeted) if (await isMeant(address)) return true
      pagesLeft -= 1
      if (pagesLeft <= 0) return undefined
    }
    return false
  }
}

/** Signatures that no address gets, because others come first, are found by one statement. */
async function isUsed(db: Db, workspaceId: string, signatureId: string): Promise<boolean> {
  const preferred = await signaturesWinningOver(db, workspaceId, signatureId)
  return preferred !== null && (await countChosen(db, workspaceId, signatureId, preferred)) > 0
}

function warnOfSlots(signatures: CampaignWarning['signatures'], warn: Warn): void {
  if (signatures.length === 0) return
  const they = signatures.length === 1 ? 'this signature has' : 'these signatures have'
  const message = `People with ${quoted(signatures)} do not see the campaign: ${they} no visible marketing block for it.`
  warn('no_banner_slot', message, { signatures })
}

/** None of the banners that are shown to addresses draws anything. */
function isEmpty({ variants }: StoredCampaign, preview: CampaignPreview): boolean {
  if (variants.length === 0) return preview.html === ''
  const shownIds = variants.filter(({ weight }) => weight > 0).map(({ id }) => id)
  return preview.variants.every(({ id, html }) => html === '' || !shownIds.includes(id))
}

async function warnOfOverlaps(
  others: Awaited<ReturnType<typeof overlappingCampaigns>>,
  shared: readonly SlottedSignature[],
  reaches: Reaches,
  warn: Warn,
): Promise<void> {
  const slice = new TimeSlice()
  const campaigns: CampaignWarning['campaigns'] = []
  for (const { id, name, status, wins, ...targeting } of others) {
    const isTargeted = compileTargeting(targeting)
    if (await reaches(shared, viewer => isTargeted(viewer, slice))) campaigns.push({ id, name, status, wins })
  }
  if (campaigns.length === 0) return
  const [winners, losers] = [true, false].map(wins => campaigns.filter(campaign => campaign.wins === wins))
  const sentences = [
    'Other campaigns reach some of the same people at the same time; the one that started last is shown.',
    winners?.length ? `${quoted(winners)} will be shown instead of this one.` : '',
    losers?.length ? `This one will be shown instead of ${quoted(losers)}.` : '',
  ]
  warn('overlaps_campaign', sentences.filter(Boolean).join(' '), { campaigns })
}

const maxNames = 5

function quoted(records: readonly { readonly name: string }[]): string {
  const names = records.slice(0, maxNames).map(({ name }) => `“${name}”`)
  if (records.length > maxNames) names.push(`${records.length - maxNames} more`)
  return new Intl.ListFormat('en').format(names)
}
