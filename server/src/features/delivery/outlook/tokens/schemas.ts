import { Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { closed } from '#kernel/base/closed.ts'

const fields = {
  id: Uuid(),
  number: Type.Integer({
    description: 'Counts the tokens of the integration; it is the last part of the version of the manifest.',
  }),
  manifest_url: Type.String({ description: 'The XML manifest, for all clients. It contains the token.' }),
  manifest_json_url: Type.String({ description: 'The unified manifest in JSON, without Mac and phones.' }),
  created_at: Timestamp(),
  last_used_at: Nullable<string>(
    Timestamp({ description: 'When an Outlook last asked with this token, to the hour.' }),
  ),
}

export const DeploymentToken = Type.Object(fields, { title: 'DeploymentToken', ...closed })

export const CreatedDeploymentToken = Type.Object(
  { ...fields, deployment_token: Type.String({ description: 'Shown this once.' }) },
  { title: 'CreatedDeploymentToken', ...closed },
)
