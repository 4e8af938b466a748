import { networkOfAddress, type SocialListItem } from '@signoff/render'

/** What changes in a link with a new address: its network too, where the address tells it. The parameters stay. */
export function withAddress({ href, name }: SocialListItem, text: string) {
  const parameters = href.queryParams ? { queryParams: href.queryParams } : {}
  return { href: { text, ...parameters }, name: networkOfAddress(text) ?? name }
}
