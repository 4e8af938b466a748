// Tries every permission that an integration needs: a line each, with a tick or with what to do.
import type { IntegrationTest } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { LoadError } from '#ui/layout/page.tsx'

const remedyPatterns = [
  { id: 'delegation', pattern: /Domain-wide delegation.* scope (\S+?)\.?$/ },
  { id: 'permission', pattern: /Application permissions, add (\S+), and choose Grant admin consent/ },
  { id: 'newSecret', pattern: /^Make a new client secret/ },
  { id: 'scimKey', pattern: /^Make an API key with the scope/ },
  { id: 'scimAddress', pattern: /^Identity providers need an https address/ },
  { id: 'scimPeople', pattern: /^Correct them at the identity provider/ },
  { id: 'scimMembers', pattern: /^Assign these people to the application/ },
  { id: 'role', pattern: /^Give the administrator a role/ },
  { id: 'later', pattern: /^Try again in some minutes/ },
  { id: 'newKey', pattern: /^Make a new key/ },
  { id: 'secretAgain', pattern: /^Send the secret again/ },
  { id: 'address', pattern: /^Change the setting url/ },
  { id: 'hopHost', pattern: /^Correct the host in next_hop/ },
  { id: 'hopPort', pattern: /^Check host and port of next_hop/ },
  { id: 'hopAllows', pattern: /^Allow the address of this machine at the next hop/ },
  { id: 'hopName', pattern: /^Set SIGNOFF_RELAY_NAME/ },
  { id: 'hopTls', pattern: /^Switch TLS on at the next hop/ },
  { id: 'hopCertificate', pattern: /^The certificate of the next hop/ },
  { id: 'hopClosed', pattern: /^Try again; the next hop closed/ },
  { id: 'relayTls', pattern: /^Set SIGNOFF_RELAY_TLS_CERT/ },
  { id: 'relayTenant', pattern: /^Write ;tenant=/ },
  { id: 'relayDomains', pattern: /^Set domains here/ },
] as const

interface Remedy {
  readonly text: string
  /** The text to paste in the other system. */
  readonly copy: string | undefined
}

/**
 * The remedy for a failed permission, in the language of the dashboard. The API writes English; remedies that are
 * not in this list are shown as they are.
 */
function useRemedyOf(): (remedy: string) => Remedy {
  const t = useTranslations('integrations.remedies')
  return remedy => {
    for (const { id, pattern } of remedyPatterns) {
      const match = pattern.exec(remedy)
      if (match) return { text: t(id), copy: match[1] }
    }
    return { text: remedy, copy: undefined }
  }
}

type Step = IntegrationTest['steps'][number]

/** The service needs up to half a minute. */
const patience = 45_000

/** `org_units` → “Org units”, for steps without an own text. */
const plainName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ')

export function useConnectionTest(id: string, isAutomatic: boolean) {
  const test = useMutation({ mutationFn: () => api.integrations.test(id, { timeoutMs: patience }) })
  const { mutate } = test
  useEffect(() => {
    if (isAutomatic) mutate()
  }, [isAutomatic, mutate])
  return test
}

/** Answers that say no more than the tick. */
const isPlain = (message: string): boolean =>
  /answers\.$|is readable\.$|act for|is allowed\.$|is encrypted\.$|is valid for \S+$/.test(message)

function StepLine({ step, isRepeated }: { readonly step: Step; readonly isRepeated: boolean }) {
  const t = useTranslations('integrations.test')
  const remedyOf = useRemedyOf()
  const key = `names.${step.name}` as Parameters<typeof t.has>[0]
  const remedy = step.ok || step.remedy === null ? undefined : remedyOf(step.remedy)
  return (
    <li className="flex gap-3 py-3">
      <Icon
        name={step.ok ? 'circle-check' : 'circle-x'}
        size={18}
        className={classes('mt-px', step.ok ? 'text-good' : 'text-bad')}
      />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="font-medium">
          {t.has(key) ? t(key as 'names.users') : plainName(step.name)}
          <span className="sr-only">: {step.ok ? t('works') : t('fails')}</span>
        </p>
        {step.ok && !isPlain(step.message) && (
          <p className="-mt-1.5 text-[0.8125rem] text-muted">{step.message}</p>
        )}
        {isRepeated && <p className="text-[0.8125rem] text-muted">{t('sameCause')}</p>}
        {!step.ok && !isRepeated && (
          <>
            {remedy && <p>{remedy.text}</p>}
            {remedy?.copy !== undefined && <CopyField label={t('toPaste')} value={remedy.copy} />}
            <p className="text-[0.8125rem] break-words text-muted">
              {t('answered', { message: step.message })}
            </p>
          </>
        )}
      </div>
    </li>
  )
}

/** True if a step above has failed for the same reason. */
const isRepeated = (steps: readonly Step[], at: number): boolean => {
  const { ok, remedy, message } = steps[at] as Step
  return (
    !ok && steps.slice(0, at).some(step => !step.ok && step.remedy === remedy && step.message === message)
  )
}

type ConnectionTestState = ReturnType<typeof useConnectionTest>

export function ConnectionTest({ test }: { readonly test: ConnectionTestState }) {
  const t = useTranslations('integrations.test')
  const { data, error, isPending, mutate } = test
  const failed = data?.steps.filter(({ ok }) => !ok).length ?? 0
  return (
    <div className="grid gap-3">
      <p role="status" className="flex items-center gap-2 font-medium">
        {isPending && (
          <>
            <Spinner /> {t('running')}
          </>
        )}
        {!isPending && data && t(failed === 0 ? 'allWork' : 'someFail', { count: failed })}
      </p>
      {error && <LoadError error={error} />}
      {data && !isPending && (
        <ul className="divide-y divide-line">
          {data.steps.map((step, index) => (
            <StepLine key={step.name} step={step} isRepeated={isRepeated(data.steps, index)} />
          ))}
        </ul>
      )}
      {!isPending && (
        <div>
          <Button isSmall icon="refresh-cw" onPress={() => mutate()}>
            {data || error ? t('again') : t('start')}
          </Button>
        </div>
      )}
    </div>
  )
}
