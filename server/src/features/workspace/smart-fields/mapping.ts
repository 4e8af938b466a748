// Which attribute of which directory fills a smart field.
import { findConnected } from '#features/workspace/integrations/index.ts'
import { refusalOfScope } from '#kernel/api/auth.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { detail, invalid, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { SmartField } from './queries.ts'

type Mapping = Pick<SmartField, 'kind' | 'computed' | 'integration_id' | 'integration_attribute'>

/** The attribute that holds a picture. */
const pictureAttribute = 'photo'

export const isMappingSent = (sent: Partial<Mapping>): boolean =>
  sent.integration_id !== undefined || sent.integration_attribute !== undefined

/** Needs the right to read integrations, because it shows which there are. */
export async function assertMapping(
  tx: Db,
  by: Caller,
  { kind, computed, integration_id, integration_attribute }: Mapping,
): Promise<void> {
  const refusal = refusalOfScope(by, 'integrations:read')
  if (refusal) throw refusal
  if (integration_id === null && integration_attribute === null) return
  if (integration_id === null || integration_attribute === null) {
    const [missing, other] =
      integration_id === null
        ? ['integration_id', 'integration_attribute']
        : ['integration_attribute', 'integration_id']
    throw validationError([
      detail(missing, 'missing', {
        missing: [missing],
        message: `${missing} belongs to ${other}: send both`,
      }),
    ])
  }
  if (computed)
    throw invalid('integration_id', 'invalid', {
      message: 'integration_id is of no use: the value of this field follows the address',
    })
  const integration = await findConnected(tx, by.workspaceId, integration_id)
  if (!integration) throw invalid('integration_id', 'unknown_reference')
  if (!integration.capabilities.includes('directory'))
    throw invalid('integration_id', 'invalid', {
      message: `integration_id: ${integration.name} is not a directory`,
    })
  if ((kind === 'image') !== (integration_attribute === pictureAttribute))
    throw invalid('integration_attribute', 'invalid', {
      message: `integration_attribute: image fields take ${pictureAttribute}, and other fields take other attributes`,
    })
}
