// Generated from the route table: `npm run generate` writes it.
// A line per resource; src/client.ts says what its signs mean.
export const version = '0.1.0'

export const table = `workspace^workspace get=G update=A^
me get=G
members lgcud resend=P/*~ makeOwner=P/*~
ssoConnections lgcud test=P/*~
signInPolicy:/workspace/sign_in_policy^sign_in_policy get=G update=A^
brand:/workspace/brand^brand get=G update=A^
teammates lgcud import=P~+ listPictureFetches=G/picture_fetches+ setImage=U/*/images/*^image deleteImage=D/*/images/*
emails lcgud explainSignature=G/*/signature+ install=P/*~+
signatures.recipients:/signatures/*/emails l add=P+ removeMany=P/remove+ remove=D/*
signatures.recipientRules set=U+
signatures.entities:/signatures/*/integration_entities add=P+ remove=D/*
signatures lcgud html=G/*~+ install=P/*~ installationProgress=G/*/installation invite=P/*~ publish=P/*~+ deactivate=P/*~ duplicate=P/*~^ check=G/*~+ preview=G/*~+ previewPng=G/*/preview.png+ sendTestEmail=P/*/test_email+?campaign
installations lg
emails.personalPage get=G rotate=P~
signatures.versions lg restore=P/*~
signatures.variants^variant gu list=G publish=P/*~+ reset=D/*
content: preview=R/content~+?campaign previewPng=R/content/preview.png+?campaign,theme,width schema=G/content_schema import=P/content~+
templates lg
marketingCampaigns lcgud schedule=P/*~ pause=P/*~ resume=P/*~ preview=G/*~+ previewPng=G/*/preview.png+ audience=G/*~+
smartFields lcgud
folders lcgud
assets lcgud
analytics.events:/analytics/events^event l record=P^ summary=G~+
analytics overview=G~+ breakdown=G~+ views=G~+ clicks=G~+ export=G~+
analytics.visitors:/analytics/visitors l
integrations lg
integrationEntities lg
webhooks lcgud rotate=P/*~ test=P/*~ replay=P/*~+
webhookDeliveries lg replay=P/*~
financialDocuments lg
feedback send=P+
apiKeys lcgud rotate=P/*~
auditLog l`
