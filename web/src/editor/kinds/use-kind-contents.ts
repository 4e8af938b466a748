// The contents of all kinds of mail. Of those that were edited on this page, the last state is known before it is saved.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { MailKind } from '../page/targets.ts'
import { type KindContents, kindsQuery } from './kind-contents.ts'

interface KnownContents {
  /** Undefined while it loads, and when it could not be read. */
  readonly contents: KindContents | undefined
  readonly isLoading: boolean
  /** Called with every new state of the kind that is edited. */
  readonly remember: (tree: Content) => void
}

/** `canWait`: the canvas of the main signature is not painted yet. */
export function useKindContents(id: string, kind: MailKind, canWait: boolean): KnownContents {
  const { data, isLoading } = useQuery({ ...kindsQuery(id), enabled: kind !== 'new' || !canWait })
  const [edited] = useState(() => new Map<string, Content>())
  const remember = useCallback((tree: Content) => void edited.set(`${id} ${kind}`, tree), [edited, id, kind])
  const contents = useMemo(() => {
    if (!data) return undefined
    const known = (each: MailKind) => {
      const content = edited.get(`${id} ${each}`)
      return content && data.byKind[each].content ? { ...data.byKind[each], content } : data.byKind[each]
    }
    return { ...data, byKind: { new: known('new'), reply: known('reply'), internal: known('internal') } }
    // The kind that is edited changes all the time; the others only when another one is chosen.
  }, [data, edited, id, kind])
  return { contents, isLoading, remember }
}
