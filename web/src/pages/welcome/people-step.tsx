import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLoadedChecklist } from '../../api/checklist.ts'
import { api, queryClient } from '../../api/client.ts'
import { useDetailText, useMessageOf } from '../../api/error-texts.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/page.tsx'
import { PathLink } from '../../ui/text-link.tsx'
import { toast } from '../../ui/toast.tsx'
import { emptyRow, isFilled, type PersonRow, splitName, teammateInputOf } from './people-rows.ts'
import { NewPeopleTable } from './people-table.tsx'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { useStep } from './steps.ts'

interface Refusal {
  readonly index: number
  readonly details: unknown[]
}

function useReasonOf(): (refusal: Refusal) => string {
  const textOf = useDetailText()
  return ({ details }) =>
    [...new Set(details.map(each => textOf(each as { code: string; message: string })))].join(' ')
}

const FileCard = () => {
  const t = useTranslations('welcome.people')
  return (
    <PathLink
      to="/people/import"
      className="mt-6 flex items-center gap-4 rounded-2xl border border-line bg-card p-4 hover:border-edge"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent-soft text-accent">
        <Icon name="file-text" size={20} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{t('file')}</span>
        <span className="block text-[0.8125rem] text-muted">{t('fileHint')}</span>
      </span>
      <Icon name="chevron-right" className="text-muted rtl:rotate-180" />
    </PathLink>
  )
}

/** The own row first, and two empty ones, so that the next name can be typed at once. */
function useRows(isFirst: boolean) {
  const { account } = useMe()
  const own = { ...emptyRow, ...splitName(account.name), email: account.email }
  return useState<readonly PersonRow[]>(() => [isFirst ? own : emptyRow, emptyRow, emptyRow])
}

export function PeopleStep() {
  const t = useTranslations('welcome.people')
  const shared = useTranslations('welcome')
  const messageOf = useMessageOf()
  const reasonOf = useReasonOf()
  const [, goTo] = useStep()
  const { peopleCount } = useLoadedChecklist()
  const [rows, setRows] = useRows(peopleCount === 0)
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const filled = rows.filter(isFilled)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.teammates.import({ teammates: filled.map(teammateInputOf) }),
    onSuccess: async ({ created, updated, failed }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['teammates'] }),
        queryClient.invalidateQueries({ queryKey: ['checklist'] }),
      ])
      if (created + updated > 0) toast(t('saved', { count: created + updated }))
      const refused = new Set(failed.map(({ index }) => index))
      setProblems(new Map(failed.map((each, index) => [index, reasonOf(each)])))
      setRows(failed.length > 0 ? filled.filter((_, index) => refused.has(index)) : [emptyRow])
      if (failed.length === 0) goTo('design')
    },
  })
  return (
    <StepFrame title={t('title')} about={t('about')}>
      {peopleCount > 0 && (
        <div className="mb-5">
          <Notice kind="good">{t('already', { count: peopleCount })}</Notice>
        </div>
      )}
      <NewPeopleTable rows={rows} onChange={setRows} problems={problems} />
      <p className="mt-2 text-[0.8125rem] text-muted">{t('pasteHint')}</p>
      <FileCard />
      {error && (
        <div role="alert" className="mt-4">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
      <StepButtons onBack={() => goTo('company')} onSkip={() => goTo('design')}>
        {filled.length === 0 && peopleCount > 0 ? (
          <Button look="primary" onPress={() => goTo('design')}>
            {shared('continue')}
          </Button>
        ) : (
          <Button
            look="primary"
            isPending={isPending}
            isDisabled={filled.length === 0}
            onPress={() => mutate()}
          >
            {t('save', { count: filled.length })}
          </Button>
        )}
      </StepButtons>
    </StepFrame>
  )
}
