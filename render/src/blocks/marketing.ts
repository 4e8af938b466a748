import { type Static, Type } from 'typebox'
import { aligns, blockSchema, OneOf, Reference } from '../fields.ts'
import { around } from '../piece.ts'
import { boxOf } from '../style.ts'
import type { Pass, Piece, PieceScope } from '../types.ts'

export const MarketingSchema = blockSchema('marketing', {
  campaignUuid: Type.Optional(Reference('campaign')),
  align: Type.Optional(OneOf(aligns)),
})
export type Marketing = Static<typeof MarketingSchema>

/** The place of a banner: filled by whichever campaign runs for the person, gone when none does. */
export function compileMarketing(block: Marketing, scope: PieceScope): Piece {
  const { id, campaignUuid, blockStyle } = block
  if (campaignUuid !== undefined && scope.campaigns?.has(campaignUuid.toLowerCase()) === false)
    scope.warn('unknown_reference', id, 'This refers to a campaign that no longer exists.')
  return {
    box: boxOf(blockStyle, { align: block.align ?? blockStyle?.align ?? scope.align, width: undefined }),
    bind: around(pass => drawBanner(campaignUuid, pass)),
  }
}

function drawBanner(named: string | undefined, pass: Pass): boolean {
  // A banner has no place for another.
  const found = pass.campaignId === null && pass.bannersLeft > 0 ? pass.campaign?.(named) : null
  if (!found) return false
  pass.bannersLeft -= 1
  pass.campaignId = found.id
  const isDrawn = found.template.draw(pass)
  pass.campaignId = null
  if (isDrawn) pass.shown = [...pass.shown, found]
  return isDrawn
}
