import { safeUrl } from '@signoff/render'
import ipaddr from 'ipaddr.js'
import { type CheckRule, findingFor } from '../problems.ts'
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

/** Names that the public DNS does not resolve. */
const privateNames = ['localhost', 'local', 'internal', 'lan', 'home', 'corp', 'home.arpa', 'test']

/** Whether mail clients anywhere can reach this service. A public name that is not set up cannot be recognised. */
export function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast'
  return host.includes('.') && !privateNames.some(name => host.endsWith(`.${name}`))
}

/** Pictures that this service serves. */
const hasOwnPicture = ({ type, assetUuid, icon }: CheckedBlock): boolean =>
  assetUuid !== undefined ||
  icon !== undefined ||
  type === 'icon' ||
  type === 'socialListItem' ||
  type === 'qrCode'

export const unreachableAddress: CheckRule = ({ blocks, publicUrl, isTracked }) => {
  const concerned = blocks.filter(
    ({ block }) =>
      hasOwnPicture(block) ||
      linksOf(block).some(link => link.vcard === true || (isTracked && hasTarget(link))),
  )
  const [root] = blocks
  if (root === undefined || isPublicAddress(publicUrl) || (!isTracked && concerned.length === 0)) return []
  const message = `Pictures and links lead to ${publicUrl}, which recipients of mails cannot reach: set SIGNOFF_PUBLIC_URL to the public address of this service.`
  return findingFor({ code: 'unreachable_address', message }, concerned.length === 0 ? [root] : concerned)
}
