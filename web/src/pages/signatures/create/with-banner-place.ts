// A template with a place for campaign banners at its end, put there by the rules of the editor.
import { type Content as BlockTree, fillIds } from '@signoff/render'
import type { Content } from '@signoff/sdk'
import { newId } from '../../editor/model/ids.ts'
import { newBlock } from '../../editor/model/new-blocks.ts'
import { insertBlocks } from '../../editor/model/operations.ts'
import { placeFor } from '../../editor/model/place.ts'

/** The same content where the rules allow no banner. */
export function withBannerPlace(content: Content): Content {
  const tree = fillIds(content as unknown as BlockTree, newId)
  const banner = newBlock('banner', { brand: undefined, fields: [], words: { text: '', button: '' } })
  const place = banner && placeFor(tree, undefined, [banner], 'signature')
  return place ? (insertBlocks(tree, place, [banner]) as unknown as Content) : content
}
