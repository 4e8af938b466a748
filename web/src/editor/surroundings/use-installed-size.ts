// What mailboxes get beside the HTML of the preview: tracked links and the pixel. The service measures it after a pause
// in the changes; the HTML itself is measured in the browser on every change.
import type { Content } from '@signoff/render'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'
import type { CampaignChoice } from './banners.ts'
import { emailIdOf, type PersonChoice } from './person.ts'
import { useSettled } from './use-settled.ts'

const pause = 1_000

/** A short name for each content: TanStack Query would write the whole content as text at every drawing. */
const keys = new WeakMap<Content, number>()
let lastKey = 0
function keyOf(content: Content): number {
  const known = keys.get(content)
  if (known !== undefined) return known
  lastKey += 1
  keys.set(content, lastKey)
  return lastKey
}

/**
 * In characters: addresses are ASCII, so the bytes of the answer are as many. Undefined until it is known, and for content that the service would refuse. `running`: campaigns for all
 * signatures.
 */
export function useInstalledExtra(
  tree: Content,
  choice: PersonChoice,
  campaign: CampaignChoice,
  isNeeded: boolean,
): number | undefined {
  const content = useSettled(tree, pause)
  const emailId = emailIdOf(choice)
  const { data } = useQuery({
    queryKey: ['content', 'size', keyOf(content), emailId, campaign],
    queryFn: () =>
      api.content.preview({
        content: content as Parameters<typeof api.content.preview>[0]['content'],
        ...(emailId !== null && { email_id: emailId }),
        ...(campaign !== 'running' && { campaign }),
      }),
    select: ({ installed_bytes: installed, bytes }) => installed - bytes,
    placeholderData: keepPreviousData,
    enabled: isNeeded,
    // Every change has a key of its own.
    gcTime: 0,
    staleTime: 60_000,
  })
  return data
}
