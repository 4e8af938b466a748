// The size that mailboxes get, with tracked links and the pixel: the service measures it after a pause in the changes.
import type { Content } from '@signoff/render'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { CampaignChoice } from './banners.ts'
import { emailIdOf, type PersonChoice } from './person.ts'

const pause = 1_000

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Undefined until it is known, and for content that the service would refuse. `running`: campaigns for all signatures. */
export function useInstalledSize(
  tree: Content,
  choice: PersonChoice,
  campaign: CampaignChoice,
): number | undefined {
  const content = useSettled(tree)
  const emailId = emailIdOf(choice)
  const { data } = useQuery({
    queryKey: ['content', 'size', content, emailId, campaign],
    queryFn: () =>
      api.content.preview({
        content: content as Parameters<typeof api.content.preview>[0]['content'],
        ...(emailId !== null && { email_id: emailId }),
        ...(campaign !== 'running' && { campaign }),
      }),
    select: ({ installed_bytes: bytes }) => bytes,
    placeholderData: keepPreviousData,
    // Every change has a key of its own, which holds the whole content.
    gcTime: 0,
    staleTime: 60_000,
  })
  return data
}
