// The gallery: every template in the own brand, with the values of a real person. A choice is shown large beside it.
import type { Template } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { examplePersonQuery } from '#records/signatures/example-person.ts'
import { withOwnWords } from '#records/templates/template-words.ts'
import { classes } from '#ui/classes.ts'
import { Dialog } from '#ui/dialog.tsx'
import { LoadError, Skeleton } from '#ui/page.tsx'
import { ChosenTemplate } from './chosen-template.tsx'
import { TemplateGallery } from './template-gallery.tsx'

interface TemplateDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

export function TemplateDialog({ folderId, onClose }: TemplateDialogProps) {
  const t = useTranslations('signatures')
  const [chosen, setChosen] = useState<Template>()
  const { data: person } = useQuery(examplePersonQuery)
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: async () => (await api.templates.list({ limit: 100 })).map(withOwnWords),
    staleTime: 5 * 60_000,
  })
  const shown = chosen ?? data?.[0]
  return (
    <Dialog title={t('chooseTemplate')} isOpen onClose={onClose} size="wide">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        // One beside the other where there is room, one after the other on a phone.
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
          <div className={classes('min-w-0', chosen && 'hidden lg:block')}>
            <TemplateGallery
              templates={data}
              chosenId={shown?.id}
              onChoose={setChosen}
              emailId={person?.emailId}
            />
          </div>
          {shown && (
            <div className={classes('min-w-0', !chosen && 'hidden lg:block')}>
              <ChosenTemplate
                key={shown.id}
                template={shown}
                person={person ?? undefined}
                folderId={folderId}
                onBack={() => setChosen(undefined)}
              />
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}
