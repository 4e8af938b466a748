import { type Static, Type } from 'typebox'
import { aligns, blockSchema, OneOf, Reference } from '../fields.ts'
import { wrapPiece } from '../piece.ts'
import { boxOf } from '../style/style.ts'
import type { BlockType, Pass, Piece, PieceScope } from '../types.ts'

const MarketingSchema = blockSchema('marketing', {
  campaignUuid: Type.Optional(Reference('campaign')),
  align: Type.Optional(OneOf(aligns)),
})
type Marketing = Static<typeof MarketingSchema>

/** Draws the banner of the campaign that runs for the person; nothing when no campaign runs. */
function compileMarketing(block: Marketing, scope: PieceScope): Piece {
  const { id, campaignUuid, blockStyle } = block
  if (campaignUuid !== undefined && scope.campaigns?.has(campaignUuid.toLowerCase()) === false)
    scope.warn('unknown_reference', id, 'This refers to a campaign that no longer exists.')
  return {
    box: boxOf(blockStyle, { align: block.align ?? blockStyle?.align ?? scope.align, width: undefined }),
    bind: wrapPiece(pass => drawBanner(campaignUuid, pass)),
  }
}

function drawBanner(campaignUuid: string | undefined, pass: Pass): boolean {
  // `campaignId` is set while a banner is drawn: a banner cannot contain another banner.
  const banner = pass.campaignId === null && pass.bannersLeft > 0 ? pass.campaign?.(campaignUuid) : null
  if (!banner) return false
  pass.bannersLeft -= 1
  pass.campaignId = banner.id
  const isDrawn = banner.template.draw(pass)
  pass.campaignId = null
  if (isDrawn) pass.drawnCampaigns = [...pass.drawnCampaigns, banner]
  return isDrawn
}

export const marketingBlock: BlockType<Marketing> = {
  schema: MarketingSchema,
  compile: compileMarketing,
  styles: ['align'],
}
