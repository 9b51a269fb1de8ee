// Written by `npm run generate` from openapi.json.

import type * as client from "#client/types.generated";

export interface Responses {
  "health": {
    "GET": client.ReadHealthResponse;
    "ready": {
      "GET": client.ReadReadinessResponse;
    };
    "jobs": {
      "GET": client.ReadJobsHealthResponse;
    };
    "cron": {
      "housekeeping": {
        "POST": client.RunHousekeepingResponse;
      };
    };
  };
  "api": {
    "auth": {
      "verify": {
        "POST": client.VerifyTokenResponse;
      };
    };
    "user": {
      "profile": {
        "GET": client.ReadProfileResponse;
        "PUT": client.UpdateProfileResponse;
      };
      "usage": {
        "GET": client.ReadUsageResponse;
      };
      "ai-use": {
        "GET": client.ListAiUsesResponse;
      };
      "access-log": {
        "GET": client.ReadAccessLogResponse;
      };
      "exports": {
        "POST": client.CreateExportResponse;
        "GET": client.ListExportsResponse;
        "{}": {
          "GET": client.ReadExportResponse;
          "DELETE": client.DeleteExportResponse;
        };
      };
      "cron": {
        "exports": {
          "POST": client.ResumeExportsResponse;
        };
      };
      "tokens": {
        "POST": client.CreateTokenResponse;
        "GET": client.ListTokensResponse;
        "{}": {
          "DELETE": client.DeleteTokenResponse;
        };
      };
      "account": {
        "erasure": {
          "GET": client.ReadErasureResponse;
        };
        "DELETE": client.DeleteAccountResponse;
        "restore": {
          "POST": client.RestoreAccountResponse;
        };
        "cron": {
          "erase": {
            "POST": client.RunErasuresResponse;
          };
        };
      };
    };
    "users": {
      "GET": client.FindUsersResponse;
      "{}": {
        "GET": client.ReadUserResponse;
      };
    };
    "organizations": {
      "GET": client.ListOrganizationsResponse;
      "POST": client.CreateOrganizationResponse;
      "{}": {
        "GET": client.ReadOrganizationResponse;
        "PUT": client.UpdateOrganizationResponse;
        "DELETE": client.DeleteOrganizationResponse;
        "members": {
          "GET": client.ListOrganizationMembersResponse;
          "POST": client.AddOrganizationMemberResponse;
          "{}": {
            "PUT": client.UpdateOrganizationMemberResponse;
            "DELETE": client.RemoveOrganizationMemberResponse;
          };
        };
        "accept": {
          "POST": client.AcceptOrganizationMembershipResponse;
        };
        "transfer-ownership": {
          "POST": client.TransferOrganizationResponse;
        };
        "decline-ownership": {
          "POST": client.DeclineOrganizationResponse;
        };
        "invitations": {
          "POST": client.CreateInvitationResponse;
          "GET": client.ListInvitationsResponse;
          "{}": {
            "DELETE": client.DeleteInvitationResponse;
          };
        };
      };
    };
    "invitations": {
      "GET": client.ListReceivedInvitationsResponse;
      "preview": {
        "POST": client.PreviewInvitationResponse;
      };
      "accept": {
        "POST": client.AcceptInvitationResponse;
      };
      "decline": {
        "POST": client.DeclineInvitationResponse;
      };
    };
    "teams": {
      "GET": client.ListTeamsResponse;
      "POST": client.CreateTeamResponse;
      "{}": {
        "GET": client.ReadTeamResponse;
        "PUT": client.UpdateTeamResponse;
        "DELETE": client.DeleteTeamResponse;
        "members": {
          "GET": client.ListTeamMembersResponse;
          "POST": client.AddTeamMemberResponse;
          "{}": {
            "PUT": client.UpdateTeamMemberResponse;
            "DELETE": client.RemoveTeamMemberResponse;
          };
        };
        "messages": {
          "GET": client.ListTeamMessagesResponse;
          "POST": client.SendTeamMessageResponse;
          "{}": {
            "DELETE": client.DeleteTeamMessageResponse;
          };
        };
      };
    };
    "changes": {
      "GET": client.ListChangesResponse;
    };
    "notebooks": {
      "GET": client.ListNotebooksResponse;
      "POST": client.CreateNotebookResponse;
      "{}": {
        "GET": client.ReadNotebookResponse;
        "PUT": client.UpdateNotebookResponse;
        "DELETE": client.DeleteNotebookResponse;
        "entries": {
          "GET": client.ListNotebookEntriesResponse;
        };
        "audience-preview": {
          "POST": client.PreviewNotebookAudienceResponse;
        };
      };
      "cron": {
        "shares": {
          "POST": client.RunSharesResponse;
        };
      };
    };
    "journal": {
      "GET": client.ListJournalEntriesResponse;
      "POST": client.CreateJournalEntryResponse;
      "tags": {
        "GET": client.ListJournalTagsResponse;
      };
      "trash": {
        "GET": client.ListTrashResponse;
        "{}": {
          "DELETE": client.DeleteTrashedEntryResponse;
        };
      };
      "on-this-day": {
        "GET": client.ListJournalEntriesOnThisDayResponse;
      };
      "stats": {
        "GET": client.ReadJournalStatsResponse;
      };
      "mood-calendar.svg": {
        "GET": client.DrawMoodCalendarResponse;
      };
      "{}": {
        "GET": client.ReadJournalEntryResponse;
        "PUT": client.UpdateJournalEntryResponse;
        "DELETE": client.DeleteJournalEntryResponse;
        "restore": {
          "POST": client.RestoreJournalEntryResponse;
        };
        "audience": {
          "GET": client.ReadJournalEntryAudienceResponse;
          "{}": {
            "GET": client.ReadJournalEntryAudienceMemberResponse;
          };
        };
        "comments": {
          "GET": client.ListJournalCommentsResponse;
          "POST": client.CreateJournalCommentResponse;
          "{}": {
            "DELETE": client.DeleteJournalCommentResponse;
          };
        };
      };
      "audience-preview": {
        "POST": client.PreviewJournalEntryAudienceResponse;
      };
      "imports": {
        "POST": client.CreateImportResponse;
        "{}": {
          "start": {
            "POST": client.StartImportResponse;
          };
          "GET": client.ReadImportResponse;
        };
        "cron": {
          "continue": {
            "POST": client.ContinueImportsResponse;
          };
        };
      };
    };
    "moods": {
      "GET": client.ListMoodsResponse;
    };
    "pictures": {
      "upload-url": {
        "POST": client.CreatePictureUploadResponse;
      };
      "POST": client.CreatePictureResponse;
      "GET": client.ListPicturesResponse;
      "{}": {
        "PUT": client.UpdatePictureResponse;
        "DELETE": client.DeletePictureResponse;
      };
    };
    "ai": {
      "analyze-tone": {
        "POST": client.AnalyzeToneResponse;
      };
      "generate-background": {
        "POST": client.GenerateBackgroundResponse;
      };
      "backgrounds": {
        "GET": client.ListBackgroundsResponse;
      };
    };
    "drops": {
      "balance": {
        "GET": client.ReadDropsBalanceResponse;
      };
      "transactions": {
        "GET": client.ListDropTransactionsResponse;
      };
      "award-monthly": {
        "POST": client.AwardMonthlyDropsResponse;
      };
      "cron": {
        "award-monthly-all": {
          "POST": client.RunMonthlyDropsResponse;
        };
        "reconcile": {
          "POST": client.RunDropsReconciliationResponse;
        };
      };
    };
    "admin": {
      "drops": {
        "reconcile": {
          "GET": client.ReconcileDropsResponse;
        };
        "adjust": {
          "POST": client.AdjustDropsResponse;
        };
        "refund": {
          "POST": client.RefundPurchaseResponse;
        };
      };
      "conversion": {
        "rates": {
          "GET": client.ListConversionRatesResponse;
          "POST": client.CreateConversionRateResponse;
        };
      };
      "users": {
        "GET": client.ListUsersResponse;
        "{}": {
          "role": {
            "PUT": client.UpdateUserRoleResponse;
          };
        };
      };
      "emails": {
        "received": {
          "GET": client.ListReceivedEmailsResponse;
        };
      };
      "jobs": {
        "GET": client.ListJobsResponse;
      };
      "audit": {
        "GET": client.ListAuditEventsResponse;
      };
      "reports": {
        "GET": client.ListReceivedReportsResponse;
        "{}": {
          "PUT": client.DecideReportResponse;
        };
      };
      "appeals": {
        "GET": client.ListReceivedAppealsResponse;
        "{}": {
          "PUT": client.DecideAppealResponse;
        };
      };
    };
    "tone-packs": {
      "GET": client.ListTonePacksResponse;
      "POST": client.CreateTonePackResponse;
      "active": {
        "GET": client.ReadActiveTonePackResponse;
      };
      "{}": {
        "GET": client.ReadTonePackResponse;
        "PUT": client.UpdateTonePackResponse;
        "DELETE": client.DeleteTonePackResponse;
        "generate-images": {
          "POST": client.GenerateTonePackImagesResponse;
        };
        "share": {
          "POST": client.ShareTonePackResponse;
          "{}": {
            "DELETE": client.UnshareTonePackResponse;
          };
        };
        "shares": {
          "GET": client.ListTonePackSharesResponse;
        };
        "activate": {
          "POST": client.ActivateTonePackResponse;
        };
        "purchase": {
          "POST": client.PurchaseTonePackResponse;
        };
      };
    };
    "payment": {
      "create-checkout-session": {
        "POST": client.CreateCheckoutSessionResponse;
      };
      "create-portal-session": {
        "POST": client.CreatePortalSessionResponse;
      };
      "prices": {
        "GET": client.ListPricesResponse;
      };
      "subscription": {
        "GET": client.ReadSubscriptionResponse;
      };
      "webhook": {
        "POST": client.ReceivePaymentEventResponse;
      };
    };
    "goals": {
      "GET": client.ListGoalsResponse;
      "POST": client.CreateGoalResponse;
      "{}": {
        "GET": client.ReadGoalResponse;
        "PUT": client.UpdateGoalResponse;
        "DELETE": client.DeleteGoalResponse;
        "check-ins": {
          "GET": client.ListGoalCheckInsResponse;
          "POST": client.CreateGoalCheckInResponse;
          "{}": {
            "PUT": client.UpdateGoalCheckInResponse;
            "DELETE": client.DeleteGoalCheckInResponse;
          };
        };
        "audience": {
          "GET": client.ReadGoalAudienceResponse;
          "{}": {
            "GET": client.ReadGoalAudienceMemberResponse;
          };
        };
        "comments": {
          "GET": client.ListGoalCommentsResponse;
          "POST": client.CreateGoalCommentResponse;
          "{}": {
            "DELETE": client.DeleteGoalCommentResponse;
          };
        };
      };
      "audience-preview": {
        "POST": client.PreviewGoalAudienceResponse;
      };
    };
    "wellness-entries": {
      "GET": client.ListWellnessEntriesResponse;
      "POST": client.CreateWellnessEntryResponse;
      "{}": {
        "GET": client.ReadWellnessEntryResponse;
        "PUT": client.UpdateWellnessEntryResponse;
        "DELETE": client.DeleteWellnessEntryResponse;
      };
    };
    "notifications": {
      "GET": client.ListNotificationsResponse;
      "{}": {
        "read": {
          "POST": client.MarkNotificationReadResponse;
        };
      };
      "read-all": {
        "POST": client.MarkAllNotificationsReadResponse;
      };
      "settings": {
        "GET": client.ReadNotificationSettingsResponse;
        "PUT": client.UpdateNotificationSettingsResponse;
      };
      "push-key": {
        "GET": client.ReadPushKeyResponse;
      };
      "push-subscriptions": {
        "POST": client.CreatePushSubscriptionResponse;
        "DELETE": client.DeletePushSubscriptionResponse;
      };
      "devices": {
        "GET": client.ListDevicesResponse;
        "POST": client.CreateDeviceResponse;
        "DELETE": client.DeleteDeviceByTokenResponse;
        "{}": {
          "DELETE": client.DeleteDeviceResponse;
        };
      };
      "cron": {
        "reminders": {
          "POST": client.RunJournalRemindersResponse;
        };
        "deliver": {
          "POST": client.RunPushDeliveryResponse;
        };
      };
    };
    "blocks": {
      "GET": client.ListBlocksResponse;
      "POST": client.CreateBlockResponse;
      "{}": {
        "DELETE": client.DeleteBlockResponse;
      };
    };
    "reports": {
      "POST": client.CreateReportResponse;
      "GET": client.ListReportsResponse;
    };
    "moderation-decisions": {
      "GET": client.ListModerationDecisionsResponse;
      "{}": {
        "appeal": {
          "POST": client.CreateAppealResponse;
        };
      };
    };
    "email": {
      "send": {
        "POST": client.SendEmailResponse;
      };
      "messages": {
        "GET": client.ListEmailMessagesResponse;
        "{}": {
          "GET": client.ReadEmailMessageResponse;
        };
      };
      "unsubscribe": {
        "POST": client.UnsubscribeEmailResponse;
      };
      "suppression": {
        "DELETE": client.DeleteEmailSuppressionResponse;
      };
      "webhook": {
        "POST": client.ReceiveEmailEventResponse;
        "cron": {
          "fetch-received": {
            "POST": client.FetchReceivedEmailsResponse;
          };
        };
      };
    };
    "encouragement-drops": {
      "my-drops": {
        "GET": client.ReadDropAllowanceResponse;
      };
      "templates": {
        "GET": client.ListDropTemplatesResponse;
      };
      "send": {
        "POST": client.SendEncouragementDropResponse;
      };
      "received": {
        "GET": client.ListReceivedDropsResponse;
        "{}": {
          "read": {
            "POST": client.MarkDropReadResponse;
          };
        };
      };
      "sent": {
        "GET": client.ListSentDropsResponse;
      };
      "config": {
        "GET": client.ReadDropConfigResponse;
      };
      "admin": {
        "templates": {
          "GET": client.ListAllDropTemplatesResponse;
          "POST": client.CreateDropTemplateResponse;
          "{}": {
            "PUT": client.UpdateDropTemplateResponse;
            "DELETE": client.DeleteDropTemplateResponse;
          };
        };
        "config": {
          "GET": client.ReadDropConfigAsAdminResponse;
          "PUT": client.UpdateDropConfigResponse;
        };
        "process-engagement": {
          "POST": client.ProcessEngagementResponse;
        };
      };
      "cron": {
        "process-engagement": {
          "POST": client.RunEngagementResponse;
        };
        "generate-daily-drops": {
          "POST": client.RunDailyAssistantDropsResponse;
        };
        "count-leaderboard": {
          "POST": client.RunLeaderboardCountResponse;
        };
      };
      "badge": {
        "GET": client.ReadBadgeResponse;
        "milestones": {
          "GET": client.ListBadgeMilestonesResponse;
        };
        "{}": {
          "GET": client.ReadBadgeOfUserResponse;
        };
        "update": {
          "POST": client.UpdateBadgeResponse;
        };
      };
      "badges": {
        "bulk": {
          "POST": client.ReadBadgesResponse;
        };
      };
      "leaderboard": {
        "GET": client.ReadLeaderboardResponse;
      };
      "badge-definitions": {
        "GET": client.ListBadgeDefinitionsResponse;
      };
    };
    "workout-window": {
      "setup": {
        "POST": client.SetWorkoutWindowResponse;
      };
      "my-window": {
        "GET": client.ReadWorkoutWindowResponse;
        "active": {
          "PUT": client.SetPlayerActiveResponse;
        };
        "rest-days": {
          "PUT": client.SetRestDaysResponse;
        };
      };
      "update-location": {
        "PUT": client.UpdateLocationResponse;
      };
      "generate-chains": {
        "POST": client.GenerateChainsResponse;
      };
      "cron": {
        "generate-chains": {
          "POST": client.RunChainGenerationResponse;
        };
        "rematch": {
          "POST": client.RunRematchResponse;
        };
        "mosaics": {
          "POST": client.RunMosaicsResponse;
        };
        "battle": {
          "POST": client.RunBattleResponse;
        };
        "end-of-day": {
          "POST": client.RunEndOfDayResponse;
        };
        "reminders": {
          "POST": client.RunCheckInRemindersResponse;
        };
        "weekly-stats": {
          "POST": client.RunWeeklyStatsResponse;
        };
        "synthetic-check-ins": {
          "POST": client.RunSyntheticCheckInsResponse;
        };
      };
      "chain": {
        "{}": {
          "GET": client.ReadChainResponse;
        };
      };
      "squad": {
        "{}": {
          "GET": client.ReadSquadResponse;
          "messages": {
            "GET": client.ListSquadMessagesResponse;
            "POST": client.SendSquadMessageResponse;
            "{}": {
              "DELETE": client.DeleteSquadMessageResponse;
            };
          };
        };
      };
      "team-stats": {
        "{}": {
          "GET": client.ReadTeamStatsResponse;
        };
      };
      "admin": {
        "teams": {
          "{}": {
            "GET": client.ReadTeamsOfDateResponse;
          };
        };
        "checkins": {
          "GET": client.ListCheckInsForReviewResponse;
          "{}": {
            "PUT": client.ReviewCheckInResponse;
          };
        };
        "ai-users": {
          "generate": {
            "POST": client.GenerateSyntheticUsersResponse;
          };
          "GET": client.ListSyntheticUsersResponse;
          "{}": {
            "DELETE": client.DeleteSyntheticUserResponse;
            "toggle": {
              "PUT": client.ToggleSyntheticUserResponse;
            };
          };
        };
      };
      "checkin": {
        "upload-url": {
          "POST": client.CreatePhotoUploadResponse;
        };
        "POST": client.CreateWorkoutCheckInResponse;
        "{}": {
          "GET": client.ReadWorkoutCheckInResponse;
        };
      };
      "checkins": {
        "{}": {
          "GET": client.ListWorkoutCheckInsResponse;
        };
      };
      "mosaic": {
        "{}": {
          "GET": client.ReadMosaicResponse;
        };
        "generate": {
          "{}": {
            "POST": client.GenerateMosaicResponse;
          };
        };
      };
      "battle": {
        "week": {
          "{}": {
            "GET": client.ReadBattleWeekResponse;
            "proof": {
              "GET": client.ReadBattleProofResponse;
            };
          };
        };
        "history": {
          "GET": client.ListBattlesResponse;
        };
        "execute": {
          "{}": {
            "POST": client.ExecuteBattleResponse;
          };
        };
      };
      "weekly-stats": {
        "GET": client.ListWeeklyStatsResponse;
      };
      "streak": {
        "GET": client.ReadStreakResponse;
      };
      "calendar": {
        "GET": client.ReadWorkoutCalendarResponse;
      };
    };
    "today": {
      "GET": client.ReadTodayResponse;
    };
    "chat": {
      "settings": {
        "GET": client.ReadAssistantSettingsResponse;
        "PUT": client.UpdateAssistantSettingsResponse;
      };
      "analysis": {
        "GET": client.ReadNoteAnalysisResponse;
        "DELETE": client.DeleteNoteAnalysesResponse;
        "sources": {
          "GET": client.ListAnalysisSourcesResponse;
        };
      };
      "cron": {
        "analyze-notes": {
          "POST": client.RunNoteAnalysisResponse;
        };
      };
    };
  };
}
