// Microsoft 365: the directory, Microsoft Entra, and the Outlook add-in, which fetches signatures.
import type { Connector } from '../connector.ts'
import { microsoftDirectory } from './directory.ts'
import { microsoftKind } from './kind.ts'

export const microsoftConnector: Connector = {
  kind: 'microsoft_365',
  integration: microsoftKind,
  directory: () => microsoftDirectory,
  channel: 'microsoft_365',
}
