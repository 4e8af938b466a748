import { safeUrl } from '@signoff/render'
import ipaddr from 'ipaddr.js'
import { isPublicName } from '#kernel/base/host-names.ts'
import { type CheckInputs, type CheckRule, findingFor } from '../problems.ts'
import { type CheckedBlock, type CheckedHref, linksOf } from '../tree.ts'

/** A link to a smart field has a target: recipients without a value are counted as missing values. */
const hasTarget = ({ text, smartFieldUuid, vcard }: CheckedHref): boolean =>
  smartFieldUuid !== undefined || vcard === true || safeUrl(text ?? '') !== null

export const linkWithoutTarget: CheckRule = ({ blocks }) =>
  findingFor(
    {
      code: 'link_without_target',
      message:
        'This link leads nowhere: give it an address or a smart field. A button without a target is not shown.',
    },
    blocks.filter(({ block }) => !linksOf(block).every(hasTarget)),
  )

/** True if mail clients anywhere can reach this service. A public name that is not set up cannot be recognised. */
export function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? ipaddr.process(host).range() === 'unicast' : isPublicName(host)
}

/** Blocks whose pictures this service always serves. The banner of a marketing block is drawn with such pictures. */
const pictureTypes: ReadonlySet<string> = new Set(['icon', 'socialListItem', 'qrCode', 'marketing'])

/** Pictures that this service serves. A portrait is an asset, named by the smart field. */
const hasOwnPicture = (
  { type, assetUuid, smartFieldUuid, icon, src }: CheckedBlock,
  { assetsByUrl }: CheckInputs,
): boolean =>
  pictureTypes.has(type) ||
  assetUuid !== undefined ||
  icon !== undefined ||
  (type === 'image' && smartFieldUuid !== undefined) ||
  (src !== undefined && assetsByUrl.has(src))

/** Contact cards are pages of this service, and tracked links go through it. */
const hasOwnLink = (block: CheckedBlock, { isTracked, webLinks }: CheckInputs): boolean => {
  const ids = [block.id, ...(block.tokens ?? []).map(token => token.id)]
  const isWebLink = ids.some(id => id !== undefined && webLinks.has(id))
  return linksOf(block).some(link => link.vcard === true) || (isTracked && isWebLink)
}

/** The pixel alone is no reason: a mail without it looks the same. */
export const unreachableAddress: CheckRule = inputs => {
  const { blocks, publicUrl } = inputs
  if (isPublicAddress(publicUrl)) return []
  const message = `Pictures and links lead to ${publicUrl}, which recipients of mails cannot reach: set SIGNOFF_PUBLIC_URL to the public address of this service.`
  return findingFor(
    { code: 'unreachable_address', message },
    blocks.filter(({ block }) => hasOwnPicture(block, inputs) || hasOwnLink(block, inputs)),
  )
}
