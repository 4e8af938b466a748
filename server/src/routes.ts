// The table of all routes.
import { guideRoutes } from '#api/guides/index.ts'
import { homePage, iconRoute } from '#api/home.ts'
import { mcpRoutes } from '#api/mcp.ts'
import { openApi } from '#api/openapi.ts'
import { type OperationDeps, operationRoutes } from '#api/operations.ts'
import { referenceRoutes } from '#api/reference.ts'
import { outlookPages } from '#connectors/microsoft/outlook.ts'
import { dashboardRoutes } from '#dashboard/index.ts'
import {
  accessRoutes,
  checkActsForOwner,
  isSetUp,
  linkRoutes,
  profileRoutes,
  renewToken,
  setSessionWorkspace,
  signInRoutes,
} from '#features/access/access/index.ts'
import { invitationAcceptRoutes, memberRoutes } from '#features/access/members/index.ts'
import {
  factorSignInRoutes,
  relyingPartyOf,
  removeSecondFactors,
  secondFactorRoutes,
} from '#features/access/second-factors/index.ts'
import { signedInName, signInPageRoutes } from '#features/access/sign-in-pages/index.ts'
import {
  connectionChoices,
  connectionChoicesFor,
  hasActiveConnections,
  ssoRoutes,
  ssoSignInRoutes,
} from '#features/access/sso/index.ts'
import { assetRoutes, createPhotos, fileRoutes } from '#features/content/assets/index.ts'
import { brandRoutes } from '#features/content/brand/index.ts'
import { contactCardRoutes } from '#features/content/contact-cards/index.ts'
import { contentRoutes } from '#features/content/content/index.ts'
import { contentImportRoutes } from '#features/content/content-import/index.ts'
import { iconRoutes } from '#features/content/icons/index.ts'
import { templateFileRoutes, templateRoutes } from '#features/content/templates/index.ts'
import { installationRoutes } from '#features/delivery/installations/index.ts'
import { tokenRoutes } from '#features/delivery/outlook/index.ts'
import { invitationRoutes, pageRoutes, personalPageRoutes } from '#features/delivery/personal-pages/index.ts'
import { previewRoutes } from '#features/delivery/previews/index.ts'
import { relayRoutes } from '#features/delivery/relay/index.ts'
import { analyticsRoutes } from '#features/measurement/analytics/index.ts'
import { beaconRoutes, eventRoutes } from '#features/measurement/events/index.ts'
import { trackingRoutes } from '#features/measurement/tracking/index.ts'
import { directoryRoutes } from '#features/people/directories/index.ts'
import { importRoutes } from '#features/people/imports/index.ts'
import { scimRoutes } from '#features/people/scim/index.ts'
import { lockTeammate, teammateRoutes } from '#features/people/teammates/index.ts'
import { campaignRoutes } from '#features/signatures/campaigns/index.ts'
import { currentContent, liveRoutes } from '#features/signatures/live-signatures/index.ts'
import { recipientRoutes } from '#features/signatures/recipients/index.ts'
import { signatureRoutes } from '#features/signatures/signatures/index.ts'
import { apiKeyRoutes } from '#features/workspace/api-keys/index.ts'
import { auditLogRoutes } from '#features/workspace/audit-log/index.ts'
import { billingRoutes } from '#features/workspace/billing/index.ts'
import { checklistRoutes } from '#features/workspace/checklist/index.ts'
import { emailRoutes } from '#features/workspace/emails/index.ts'
import { feedbackRoutes } from '#features/workspace/feedback/index.ts'
import { folderRoutes } from '#features/workspace/folders/index.ts'
import { integrationRoutes } from '#features/workspace/integrations/index.ts'
import { smartFieldRoutes } from '#features/workspace/smart-fields/index.ts'
import { webhookRoutes } from '#features/workspace/webhooks/index.ts'
import { workspaceCreationRoutes, workspaceRoutes } from '#features/workspace/workspaces/index.ts'
import type { Route } from '#kernel/api/routes.ts'
import type { Db } from '#kernel/db/db.ts'
import { fontRoute } from '#pages/font.ts'
import { noProcess, type Parts, type ProcessParts } from './parts.ts'

/** The routes under /v1, which need an API key or a session. */
export function apiRoutes(
  parts: Parts,
  { onKeyChange, onSessionChange, draw, recorder, outlook }: ProcessParts = noProcess,
): readonly Route[] {
  const { config, sendsMail, rendering, store, fetchPublic, signatures, campaigns, onPeopleChange } = parts
  const { publicUrl, operatorEmail } = config
  const { cards } = rendering
  return [
    ...workspaceRoutes(parts.workspaces),
    ...checklistRoutes(parts.checklist),
    ...accessRoutes({ ...parts.access, onSessionChange }),
    ...profileRoutes(onSessionChange),
    ...workspaceCreationRoutes({
      allowed: config.workspaceCreation,
      async moveSession(tx, sessionId, workspaceId) {
        await tx.query(setSessionWorkspace(sessionId, workspaceId))
        return renewToken(tx, sessionId, parts.access)
      },
      onChange: onSessionChange,
    }),
    ...memberRoutes(parts.members, () => {
      onKeyChange()
      onSessionChange()
    }),
    ...secondFactorRoutes({ ...parts.secondFactors, onSessionChange }),
    ...ssoRoutes({ ...parts.sso, onSessionChange }),
    ...brandRoutes(parts.brand),
    ...teammateRoutes(parts.teammates),
    ...importRoutes(parts.imports),
    ...emailRoutes({ publicUrl, lockTeammate, onPeopleChange }),
    ...recipientRoutes({ onChange: signatures.onChange }),
    ...liveRoutes(rendering),
    ...installationRoutes(rendering),
    ...personalPageRoutes({ publicUrl }),
    ...invitationRoutes({ publicUrl, sendsMail }),
    ...signatureRoutes({ ...rendering, ...signatures }),
    ...previewRoutes({ ...rendering, draw, sendsMail }),
    ...templateRoutes({ publicUrl }),
    ...campaignRoutes({ ...campaigns, publicUrl, cards, draw, sendsMail }),
    ...smartFieldRoutes(parts.smartFields),
    ...folderRoutes,
    ...assetRoutes({ publicUrl, store, fetchPublic }),
    ...contentRoutes,
    ...contentImportRoutes({ publicUrl, cards, store, fetchPublic }),
    ...eventRoutes({ recorder }),
    ...analyticsRoutes,
    ...integrationRoutes(parts.integrations),
    ...relayRoutes,
    ...tokenRoutes(parts.outlookTokens, outlook.deployments.forget),
    ...directoryRoutes(parts.directorySync),
    ...webhookRoutes(parts.webhooks),
    ...billingRoutes({ publicUrl, store }),
    ...feedbackRoutes({ mailsFeedback: sendsMail && operatorEmail !== null }),
    ...apiKeyRoutes({ onChange: onKeyChange, checkActsForOwner }),
    ...auditLogRoutes,
  ]
}

/** All routes, as `signoff routes` prints them. */
export function routeTable(
  parts: Parts,
  operations: OperationDeps,
  processParts: ProcessParts = noProcess,
): readonly Route[] {
  const { config, store, rendering, vault } = parts
  const api = apiRoutes(parts, processParts)
  const { sameViewSeconds, viewsPerMinute } = config
  const { recorder, count, onSessionChange, log } = processParts
  const secondFactors = { ...parts.secondFactors, onSessionChange }
  const isReady = (db: Db) => isSetUp(db, parts.secondFactors)
  return [
    ...api,
    ...fileRoutes(store),
    ...iconRoutes,
    ...templateFileRoutes({ publicUrl: config.publicUrl, draw: processParts.draw }),
    ...pageRoutes({
      rendering,
      teammates: parts.teammates,
      sendsMail: parts.sendsMail,
    }),
    ...trackingRoutes({
      publicUrl: config.publicUrl,
      keys: vault,
      recorder,
      sameViewSeconds,
      viewsPerMinute,
      count,
      currentContent,
    }),
    ...contactCardRoutes({ keys: vault, photoOf: createPhotos(store) }),
    ...outlookPages(processParts.outlook, { publicUrl: config.publicUrl, rendering, vault, store }),
    ...beaconRoutes(processParts),
    ...signInRoutes({ ...parts.access, onSessionChange }),
    ...ssoSignInRoutes({ ...parts.sso, onSessionChange, log }),
    ...invitationAcceptRoutes(parts.members, onSessionChange),
    ...factorSignInRoutes(secondFactors),
    ...linkRoutes({
      ...secondFactors,
      removeSecondFactors: (tx, accountId, by) => removeSecondFactors(tx, accountId, secondFactors, by),
    }),
    ...signInPageRoutes({
      access: parts.access,
      hasPasskeys: relyingPartyOf(config.publicUrl) !== null,
      inject: processParts.inject,
      onSessionChange,
      hasSso: hasActiveConnections,
      ssoChoicesFor: connectionChoicesFor,
      ssoChoicesIn: connectionChoices,
    }),
    iconRoute,
    ...dashboardRoutes({
      publicUrl: config.publicUrl,
      stateOf: processParts.dashboardState,
      isSetUp: isReady,
      home: homePage({
        publicUrl: config.publicUrl,
        nameOf: (db, client) => signedInName(db, client, parts.access),
        isSetUp: isReady,
      }),
    }),
    fontRoute(),
    ...guideRoutes(config),
    ...referenceRoutes(() => openApi(api)),
    ...mcpRoutes({
      ...processParts,
      onFault: error => log.error({ err: error }, 'a request of the Model Context Protocol failed'),
      routes: api,
      publicUrl: config.publicUrl,
      corsOrigins: config.corsOrigins ?? [],
    }),
    ...scimRoutes({ publicUrl: config.publicUrl, onPeopleChange: parts.onPeopleChange }),
    ...operationRoutes(operations),
  ]
}
