// The problems of the draft, each with the way to its block, and with what one click can do about it.
import type { CheckProblem } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { idOf } from '../model/block.ts'
import { blockWithToken } from '../model/tree.ts'
import { remedyFor } from './remedies.ts'

const icons: Readonly<Record<CheckProblem['severity'], readonly [IconName, string]>> = {
  error: ['circle-x', 'text-bad'],
  warning: ['triangle-alert', 'text-warn'],
  note: ['info', 'text-muted'],
}

interface ProblemsPanelProps {
  readonly signatureId: string
  readonly variant: 'reply' | 'internal' | undefined
  /** Changes after each save: the service checks what it has. */
  readonly savedVersion: string | undefined
}

export function ProblemsPanel({ signatureId, variant, savedVersion }: ProblemsPanelProps) {
  const t = useTranslations('editor.check')
  const texts = useTranslations('signatures')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const { data } = useQuery({
    queryKey: ['signatures', 'check', signatureId, variant ?? 'primary', savedVersion],
    queryFn: () => api.signatures.check(signatureId, variant ? { variant } : {}),
    placeholderData: keepPreviousData,
  })
  if (!data) return null
  return (
    <section aria-label={t('title')} className="mx-auto mt-5 grid w-full max-w-2xl gap-2">
      <h2 className="text-[0.8125rem] font-semibold">{t('count', { count: data.problems.length })}</h2>
      <ul className="grid gap-2">
        {data.problems.map(({ code, severity, blocks, recipients_affected: count }, index) => {
          const [icon, color] = icons[severity]
          const ids = blocks.map(({ id }) => id)
          const remedy = remedyFor(code, ids)
          const first = ids[0] === undefined ? undefined : blockWithToken(tree, ids[0])
          return (
            <li
              key={`${code}-${index}`}
              className="flex items-start gap-2.5 rounded-xl border border-line bg-card p-3 text-[0.8125rem]"
            >
              <Icon name={icon} className={classes('mt-0.5', color)} />
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  {texts(`problems.${code}.title`, { count, total: data.recipients })}
                </p>
                <p className="mt-0.5 text-muted">{texts(`problems.${code}.remedy`)}</p>
              </div>
              {first && (
                <Button isSmall look="quiet" onPress={() => store.select([idOf(first)])}>
                  {t('show')}
                </Button>
              )}
              {remedy && (
                <Button isSmall onPress={() => store.change(remedy.apply)}>
                  {t(remedy.name)}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
