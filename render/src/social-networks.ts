// The social networks by the hosts of their addresses.
import type { IconName } from './icons.ts'

const hosts: Readonly<Record<string, IconName>> = {
  'apps.apple.com': 'app-store',
  'behance.net': 'behance',
  'bsky.app': 'bluesky',
  'discord.com': 'discord',
  'discord.gg': 'discord',
  'dribbble.com': 'dribbble',
  'facebook.com': 'facebook-f',
  'fb.com': 'facebook-f',
  'fb.me': 'facebook-f',
  'flickr.com': 'flickr',
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'instagram.com': 'instagram',
  'line.me': 'line',
  'linkedin.com': 'linkedin-in',
  'lnkd.in': 'linkedin-in',
  'm.me': 'facebook-messenger',
  'mastodon.social': 'mastodon',
  'medium.com': 'medium',
  'pinterest.com': 'pinterest-p',
  'play.google.com': 'google-play',
  'producthunt.com': 'product-hunt',
  'reddit.com': 'reddit',
  'researchgate.net': 'researchgate',
  'slack.com': 'slack',
  'snapchat.com': 'snapchat',
  'soundcloud.com': 'soundcloud',
  'spotify.com': 'spotify',
  'stackoverflow.com': 'stack-overflow',
  't.me': 'telegram',
  'telegram.me': 'telegram',
  'threads.com': 'threads',
  'threads.net': 'threads',
  'tiktok.com': 'tiktok',
  'tumblr.com': 'tumblr',
  'twitch.tv': 'twitch',
  'twitter.com': 'x-twitter',
  'vimeo.com': 'vimeo-v',
  'wa.me': 'whatsapp',
  'whatsapp.com': 'whatsapp',
  'x.com': 'x-twitter',
  'xing.com': 'xing',
  'yelp.com': 'yelp',
  'youtu.be': 'youtube',
  'youtube.com': 'youtube',
}

/** `uk.linkedin.com` belongs to `linkedin.com`. */
export function networkAtHost(host: string): IconName | undefined {
  const parts = host.toLowerCase().split('.')
  for (let at = 0; at < Math.min(parts.length - 1, 5); at++) {
    const name = parts.slice(at).join('.')
    if (Object.hasOwn(hosts, name)) return hosts[name]
  }
  return undefined
}

/** The network that an address leads to, also without `https://`: `linkedin.com/in/ada` → `linkedin-in`. */
export function networkOfAddress(address: string): IconName | undefined {
  const text = address.trim()
  const url = /^https?:/i.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? networkAtHost(new URL(url).hostname) : undefined
}

/** The front page of a network; undefined for one whose pages have many hosts. */
export function networkHome(name: IconName): string | undefined {
  const [host] = Object.entries(hosts).find(([, network]) => network === name) ?? []
  return host === undefined ? undefined : `https://${host}/`
}
