// Which banner a signature shows: of the campaigns that are live and for this address, the one that started last.
import { type Campaign as Banner, type Content, compile, type Fill, type Person } from '@signoff/render'
import { comparable, type Db } from '../../kernel/db.ts'
import { identityOf, referencesOf, surroundingsOf } from '../content/index.ts'
import { compileConditions } from '../recipients/index.ts'
import type { SmartField } from '../smart-fields/index.ts'
import { type Live, liveCampaigns } from './queries.ts'
import { assign } from './split.ts'

/** Whose signature is drawn. */
export interface Bearer {
  readonly emailId: string
  readonly signatureId: string
  readonly person: Person
}

/** A banner as it is drawn; `variantId` tells which of several. */
export interface ChosenBanner extends Banner {
  readonly variantId: string | null
  readonly content: Content
  readonly identity: () => string
}

/** Drawn where there is no banner: a campaign without content runs and shows nothing. */
type Shown = ChosenBanner | null

export interface Banners {
  /** Every one that may be drawn. */
  readonly all: readonly ChosenBanner[]
  /** Another one when others are shown, or to others. */
  readonly identity: () => string
  /** For the marketing blocks of this address's signature. */
  readonly fillFor: (bearer: Bearer) => NonNullable<Fill['campaign']>
}

interface Place {
  readonly workspaceId: string
  readonly publicUrl: string
}

interface Ready {
  readonly id: string
  readonly appliesTo: (bearer: Bearer) => boolean
  readonly all: readonly ChosenBanner[]
  readonly shownTo: (emailId: string) => Shown
}

/** The campaigns of a workspace that are live, or are at the given moment, made ready for any number of people. */
export async function bannersOf(
  db: Db,
  place: Place,
  fields: readonly SmartField[],
  at: Date | null = null,
): Promise<Banners> {
  const live = await liveCampaigns(db, place.workspaceId, at)
  const ready = await Promise.all(live.map(campaign => prepare(db, place, fields, campaign)))
  const all = ready.flatMap(campaign => campaign.all)
  return {
    all,
    identity: () => JSON.stringify([live, all.map(banner => banner.identity())]),
    fillFor(bearer) {
      const applicable = ready.filter(campaign => campaign.appliesTo(bearer))
      return named => {
        const id = named?.toLowerCase()
        const chosen = id === undefined ? applicable[0] : applicable.find(campaign => campaign.id === id)
        return chosen?.shownTo(bearer.emailId) ?? null
      }
    },
  }
}

/** Whether a campaign is for this signature and this person. */
export function applies({
  signature_template_ids,
  smart_fields_conditions,
}: Pick<Live, 'signature_template_ids' | 'smart_fields_conditions'>): Ready['appliesTo'] {
  const signatures = new Set(signature_template_ids)
  const test = compileConditions(smart_fields_conditions)
  return ({ signatureId, person }) =>
    (signatures.size === 0 || signatures.has(signatureId)) &&
    (smart_fields_conditions.length === 0 || test(field => comparable(person[field] ?? '')))
}

async function prepare(db: Db, place: Place, fields: readonly SmartField[], campaign: Live): Promise<Ready> {
  const { id, variants } = campaign
  const draw = async (content: Content | null, variantId: string | null): Promise<Shown> => {
    if (content === null) return null
    const surroundings = await surroundingsOf(
      db,
      place.workspaceId,
      place.publicUrl,
      fields,
      referencesOf(content),
    )
    const template = compile(content, surroundings)
    return {
      id,
      variantId,
      content,
      template,
      identity: () => identityOf(content, surroundings, template, fields),
    }
  }
  const appliesTo = applies(campaign)
  if (variants.length === 0) {
    const only = await draw(campaign.content, null)
    return { id, appliesTo, all: only ? [only] : [], shownTo: () => only }
  }
  const drawn = await Promise.all(
    variants.map(async ({ id: variantId, weight, content }) => ({
      id: variantId,
      weight,
      shown: await draw(content, variantId),
    })),
  )
  const all = drawn.flatMap(({ shown }) => shown ?? [])
  return { id, appliesTo, all, shownTo: emailId => assign(id, emailId, drawn)?.shown ?? null }
}
