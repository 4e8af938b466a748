import type { CreatedIntegration, IntegrationInput } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { integrationListQuery } from '#api/integrations.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Card } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { refreshDirectories } from '../data.ts'
import {
  type Capability,
  isAddInOnly,
  type KindName,
  kinds,
  type Preparation,
  type SecretWay,
} from '../kinds.ts'
import { outlookGuide } from '../outlook/outlook-guide.ts'
import { GuideLink, OuterLink } from '../parts/outer-link.tsx'
import { SetupSteps } from '../parts/setup-steps.tsx'
import { StepList } from '../parts/step-list.tsx'
import { CapabilityChoice, DrivesSwitch, driverAmong } from './duties.tsx'
import {
  areFilesRight,
  controlOfField,
  fieldsOf,
  isNeeded,
  KindFields,
  type KindValues,
  partOf,
} from './kind-fields.tsx'
import { useRelayProblem } from './relay-problem.ts'

interface PreparationCardProps {
  readonly kind: KindName
  readonly capabilities: readonly Capability[]
  /** The client id in the key file, once the file is chosen. */
  readonly clientId: string | undefined
}

/** Kinds whose admins have something to do before they connect. */
type PreparedKind = 'google_workspace' | 'microsoft_365' | 'smtp_relay'

/** The work of an admin in the other system before the form: each step with its link, and with what is pasted there. */
function PreparationCard({ kind, capabilities, clientId }: PreparationCardProps) {
  const t = useTranslations('integrations')
  const { preparations: all, guide } = kinds[kind]
  const preparations = all.filter(step => isNeeded(step, capabilities))
  if (preparations.length === 0) return null
  const prepared = kind as PreparedKind
  const textOf = ({ id }: Preparation) => t(`kinds.${prepared}.prepare.${id as 'one'}`)
  return (
    <Card
      title={
        kind === 'smtp_relay'
          ? t('prepare.relayTitle')
          : t('prepare.title', { name: t(`kinds.${kind}.title`) })
      }
      about={t(`kinds.${prepared}.prepare.about`)}
      actions={<GuideLink href={guide} />}
    >
      <StepList
        steps={preparations.map(step => ({
          id: step.id,
          text: (
            <>
              {textOf(step)} {step.link && <OuterLink href={step.link}>{t('prepare.openPage')}</OuterLink>}
            </>
          ),
          extra: step.copies && (
            <div className="grid w-full gap-2">
              {clientId !== undefined && <CopyField label={t('prepare.clientId')} value={clientId} />}
              <CopyField label={t(`kinds.${prepared}.prepare.copies`)} value={step.copies(capabilities)} />
            </div>
          ),
        }))}
      />
    </Card>
  )
}

/** The client id in a key file of Google, which the delegation needs. */
function clientIdIn(text: KindValues['service_account_key']): string | undefined {
  try {
    const { client_id: id } = JSON.parse(String(text)) as { readonly client_id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

interface ConnectFormProps {
  readonly kind: Exclude<KindName, 'ldap'>
  /** The first choice, if it is not the usual one. */
  readonly capabilities?: readonly Capability[]
  readonly onConnected: (integration: CreatedIntegration) => void
}

/** The input of the person, and how it is sent. */
function useConnection(kind: KindName, chosen: readonly Capability[] | undefined) {
  const t = useTranslations('integrations.form')
  const table = kinds[kind]
  const [values, setValues] = useState<KindValues>({})
  const [capabilities, setCapabilities] = useState(chosen ?? table.defaults)
  const [way, setWay] = useState<SecretWay['id'] | undefined>(table.secretWays?.[0]?.id)
  const [wantsDrive, setWantsDrive] = useState(true)
  const { data: connected = [] } = useQuery(integrationListQuery)
  const driver = driverAmong(connected)
  const fields = fieldsOf(table, way, capabilities).filter(({ isLater }) => !isLater)
  const isPeople = capabilities.includes('directory')
  const inputOf = (name: string): IntegrationInput => {
    if (!areFilesRight(fields, values)) throw new Error(t('wrongFile'))
    const secret = partOf(fields, 'secret', values)
    return {
      kind,
      ...(name !== '' && { name }),
      capabilities: [...capabilities],
      settings: {
        ...partOf(fields, 'settings', values),
        ...(isPeople && { drives_teammates: wantsDrive && !driver }),
      },
      ...(Object.keys(secret).length > 0 && { secret }),
    }
  }
  return {
    table,
    inputOf,
    isPeople,
    values,
    capabilities,
    choice: { kind: table, value: capabilities, onChange: setCapabilities },
    drives: { value: wantsDrive, onChange: setWantsDrive, driver },
    fields: { kind: table, fields, values, onChange: setValues, way, onWay: setWay },
  }
}

export function ConnectForm({ kind, capabilities, onConnected }: ConnectFormProps) {
  const t = useTranslations('integrations')
  const shell = useTranslations('shell')
  const connection = useConnection(kind, capabilities)
  const relayProblem = useRelayProblem(kind, connection.values)
  const isAddIn = isAddInOnly({ kind, capabilities: connection.capabilities })
  const isStepwise = connection.table.isRead && connection.isPeople
  const title = isAddIn ? t('offers.outlook.title') : t(`kinds.${kind}.title`)
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      {isStepwise && <SetupSteps current="enter" />}
      {connection.table.capabilities.length > 1 && (
        <Card>
          <CapabilityChoice {...connection.choice} />
        </Card>
      )}
      <PreparationCard
        kind={kind}
        capabilities={connection.capabilities}
        clientId={clientIdIn(connection.values.service_account_key)}
      />
      <Card
        title={t(connection.table.preparations.length > 0 && !isAddIn ? 'form.title' : 'form.alone')}
        about={isAddIn ? t('offers.outlook.formAbout') : t(`kinds.${kind}.formAbout`)}
        actions={isAddIn && <GuideLink href={outlookGuide} />}
      >
        <Form
          className="grid grid-cols-1 gap-5"
          controlOf={controlOfField}
          problemText={relayProblem}
          onSubmit={async form =>
            api.integrations.create(connection.inputOf(String(form.get('name')).trim()))
          }
          onDone={integration => {
            void refreshDirectories()
            onConnected(integration)
          }}
        >
          {({ isPending }) => (
            <>
              <KindFields {...connection.fields} />
              {connection.isPeople && <DrivesSwitch {...connection.drives} />}
              <TextField
                key={title}
                name="name"
                label={t('form.name')}
                hint={t('form.nameHint')}
                defaultValue={title}
                maxLength={200}
                isRequired
              />
              <Actions>
                <LinkButton to="/integrations">{shell('cancel')}</LinkButton>
                <Button type="submit" variant="primary" isPending={isPending}>
                  {t(isStepwise ? 'form.connectAndTest' : 'form.connect')}
                </Button>
              </Actions>
            </>
          )}
        </Form>
      </Card>
    </div>
  )
}
