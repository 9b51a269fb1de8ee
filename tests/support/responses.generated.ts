// Written by `npm run generate` from openapi.json.

export type AdminCheckIn = {
  "id": string;
  "user_id": string;
  "chain_id": string | null;
  "date": string;
  "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  "custom_activity": string | null;
  "photo_url": string | null;
  "photo_timestamp": string | null;
  "location_lat": number | null;
  "location_lng": number | null;
  "status": "pending" | "verified" | "rejected";
  "battle_chips_earned": number;
  "chip_breakdown": ChipBreakdown;
  "chain_status": "continued" | "broken";
  "team_color": TeamColor | null;
  "battle_week_start": string;
  "flags": Array<"seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time">;
  "review": CheckInReviewed | null;
  "created_at": string;
  "user": {
    "id": string;
    "full_name": string | null;
    "avatar_url": string | null;
    "is_ai": boolean;
  };
  "reviewed_at": string | null;
  "reviewed_by": string | null;
  "review_reason": string | null;
};

export type AdminTeam = {
  "members": Array<{
    "userId": string;
    "fullName": string | null;
    "isAi": boolean;
    "squadId": string | null;
    "status": "not_started" | "pending" | "completed" | "failed";
  }>;
  "squads": Array<{
    "id": string;
    "user1": PlayerCard | null;
    "user2": PlayerCard | null;
    "user3": PlayerCard | null;
  }>;
  "realUsers": number;
  "aiUsers": number;
};

export type AdminUser = {
  "id": string;
  "email": string | null;
  "full_name": string | null;
  "avatar_url": string | null;
  "is_ai": boolean;
  "role": "super_admin" | "admin" | "user";
  "is_premium": boolean;
  "drops_balance": number;
  "created_at": string;
  "token_usage": TokenUsage;
};

export type AssistantSettings = {
  "read_notes_enabled": boolean;
  "check_in_enabled": boolean;
};

export type Background = {
  "id": string;
  "entry_id": string | null;
  "image_url": string;
  "quality": "standard" | "hd";
  "created_at": string;
};

export type Badge = {
  "user_id": string;
  "level": number;
  "name": string;
  "emoji": string;
  "color": string;
  "total_drops_sent": number;
  "engagement_increases": number;
  "success_rate": number;
  "bonus_drops_earned": number;
  "consecutive_days": number;
  "progress": {
    "current": number;
    "required": number | null;
    "remaining": number | null;
    "percent": number;
    "next_level": number | null;
    "next_name": string | null;
  };
};

export type BadgeDefinition = {
  "level": number;
  "name": string;
  "min_engagement_increases": number;
  "min_success_rate": number | null;
  "min_consecutive_days": number | null;
  "emoji": string;
  "color": string;
};

export type BadgeMilestone = {
  "id": string;
  "user_id": string;
  "level": number;
  "badge_name": string;
  "achieved_at": string;
  "stats": {
    "total_drops_sent": number;
    "engagement_increases": number;
    "success_rate": number;
    "bonus_drops_earned": number;
    "consecutive_days": number;
  };
};

export type Battle = {
  "id": string;
  "week_start_date": string;
  "week_end_date": string;
  "red_team_chips": number;
  "blue_team_chips": number;
  "red_team_robot_power": number;
  "blue_team_robot_power": number;
  "battle_status": "pending" | "in_progress" | "completed";
  "winner": BattleWinner | null;
  "battle_result": BattleResult | null;
  "created_at": string;
  "updated_at": string;
};

export type BattleResult = {
  "redRobotPower": number;
  "blueRobotPower": number;
  "badGuyPower": number;
  "rounds": Array<{
    "round": number;
    "redDamage": number;
    "blueDamage": number;
    "badGuyDamage": number;
  }>;
  "finalOutcome": string;
  "seed": string;
};

export type BattleTeam = {
  "totalChips": number;
  "robotPower": number;
  "members": number;
};

export type BattleWinner = "red" | "blue" | "tie";

export type Chain = {
  "beforeUser": PlayerCard | null;
  "currentUser": PlayerCard;
  "afterUser": PlayerCard | null;
  "teamColor": TeamColor;
  "squad": Squad | null;
};

export type ChainsJobResponse = {
  "success": boolean;
  "message": string;
  "results"?: Record<string, number | Array<string>>;
  "today": string;
  "tomorrow": string;
};

export type CheckInOfDate = {
  "checkin": WorkoutCheckIn | null;
  "status": "pending" | "completed" | "failed" | "not_started";
};

export type CheckInReviewed = {
  "status": "verified" | "rejected";
  "reason": string | null;
  "decided_at": string;
};

export type CheckInsOfDate = {
  "checkins": Array<WorkoutCheckIn>;
  "stats": {
    "total": number;
    "completed": number;
    "failed": number;
  };
  "nextCursor": string | null;
};

export type CheckInsToReview = {
  "checkins": Array<AdminCheckIn>;
  "nextCursor": string | null;
};

export type ChipBreakdown = {
  "base": number;
  "chain": number;
  "early": number;
  "streak": number;
  "raw": number;
  "earned": number;
};

export type ConversionRate = {
  "id": string;
  "rate": number;
  "effective_date": string;
  "created_by": string | null;
  "created_at": string;
};

export type DropAllowance = {
  "date": string;
  "daily_allowance": number;
  "drops_used": number;
  "bonus_drops_earned": number;
  "total_available": number;
  "custom_drops_used": number;
  "max_custom_drops_per_day": number;
  "resets_at": string;
};

export type DropConfig = {
  "daily_allowance": number;
  "bonus_drops_per_engagement": number;
  "engagement_window_hours": number;
  "max_custom_drops_per_day": number;
};

export type DropRecipient = {
  "id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "is_ai": boolean;
};

export type DropSender = {
  "id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "is_assistant": boolean;
};

export type DropTemplate = {
  "id": string;
  "type": "encouragement" | "media" | "science_tidbit";
  "title": string;
  "content": string;
  "media_type": "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  "media_url": string | null;
  "thumbnail_url": string | null;
  "is_approved": boolean;
  "usage_count": number;
  "created_at": string;
  "updated_at": string;
};

export type DropTransaction = {
  "id": string;
  "type": "signup_bonus" | "monthly_recurring" | "purchase" | "refund" | "admin_adjustment";
  "amount": number;
  "balance_after": number;
  "description": string;
  "item_id": string | null;
  "item_type": string | null;
  "created_at": string;
};

export type EmailMessage = {
  "id": string;
  "to": string;
  "subject": string;
  "status": "pending" | "sent" | "failed" | "suppressed";
  "delivery": "sent" | "delayed" | "delivered" | "bounced" | "complained" | null;
  "created_at": string;
  "updated_at": string;
};

export type EncouragementDrop = {
  "id": string;
  "sender_id": string;
  "sender": DropSender;
  "recipient_id": string;
  "drop_type": "encouragement" | "media" | "science_tidbit";
  "is_custom": boolean;
  "template_id": string | null;
  "title": string | null;
  "content": string;
  "media_type": "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  "media_url": string | null;
  "thumbnail_url": string | null;
  "date_sent": string;
  "created_at": string;
  "read_at": string | null;
  "entry_id": string | null;
};

export type Entry = {
  "id": string;
  "user_id": string;
  "title": string;
  "content": string | null;
  "content_hidden": boolean;
  "mood": string | null;
  "mood_source": "user" | "ai" | null;
  "tags": Array<string>;
  "notebook_id": string | null;
  "metadata_visibility": Visibility;
  "content_visibility": Visibility;
  "inherit_visibility": boolean;
  "team_id": string | null;
  "org_id": string | null;
  "effective_metadata_visibility": Visibility;
  "effective_content_visibility": Visibility;
  "created_at": string;
  "updated_at": string;
};

export type Goal = {
  "id": string;
  "user_id": string;
  "title": string;
  "description": string;
  "target_date": string | null;
  "status": "active" | "paused" | "completed" | "abandoned";
  "created_at": string;
  "updated_at": string;
};

export type GoalCheckIn = {
  "id": string;
  "goal_id": string;
  "user_id": string;
  "status": "completed" | "partial" | "missed" | "skipped";
  "notes": string;
  "check_in_date": string;
  "created_at": string;
};

export type JobResponse = {
  "success": boolean;
  "message": string;
  "results"?: Record<string, number | Array<string>>;
};

export type LeaderboardEntry = {
  "rank": number;
  "user_id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "badge_level": number;
  "badge_name": string;
  "emoji": string;
  "color": string;
  "total_drops_sent": number;
  "engagement_increases": number;
  "success_rate": number;
};

export type ListedEntry = {
  "id": string;
  "user_id": string;
  "title": string;
  "content": string | null;
  "content_hidden": boolean;
  "mood": string | null;
  "mood_source": "user" | "ai" | null;
  "tags": Array<string>;
  "notebook_id": string | null;
  "metadata_visibility": Visibility;
  "content_visibility": Visibility;
  "inherit_visibility": boolean;
  "team_id": string | null;
  "org_id": string | null;
  "effective_metadata_visibility": Visibility;
  "effective_content_visibility": Visibility;
  "created_at": string;
  "updated_at": string;
  "content_excerpt"?: string | null;
};

export type Message = {
  "message": string;
};

export type Mosaic = {
  "imageUrl": string;
  "date": string;
  "sections": Array<{
    "userId": string;
    "userName": string | null;
    "status": "completed" | "failed" | "pending";
    "coordinates": {
      "x": number;
      "y": number;
      "width": number;
      "height": number;
    };
    "teamColor": TeamColor;
  }>;
  "stats": {
    "totalParticipants": number;
    "completed": number;
    "failed": number;
    "pending": number;
  };
};

export type NewCheckInResponse = {
  "checkin": WorkoutCheckIn;
  "battleChipsEarned": number;
  "chainStatus": "continued" | "broken";
  "nextUserNotified": boolean;
};

export type NoteAnalysis = {
  "id": string;
  "user_id": string;
  "analysis_date": string;
  "summary": string;
  "mood_trends": Record<string, unknown>;
  "topics": Array<string>;
  "patterns": Array<string>;
  "recommendations": string;
  "insights": {
    "gratitude": Array<string>;
    "challenges": Array<string>;
    "goals": Array<string>;
    "achievements": Array<string>;
  };
  "entry_count": number;
  "created_at": string;
  "updated_at": string;
};

export type Notebook = {
  "id": string;
  "user_id": string;
  "name": string;
  "description": string | null;
  "metadata_visibility": Visibility;
  "content_visibility": Visibility;
  "team_id": string | null;
  "org_id": string | null;
  "entry_count": number;
  "created_at": string;
  "updated_at": string;
};

export type Notification = {
  "id": string;
  "type": "baton_pass" | "checkin_reminder" | "checkin_reviewed" | "chain_broken" | "chain_restored" | "chain_update" | "battle_update" | "battle_progress" | "battle_results" | "weekly_stats" | "drop_received" | "badge_earned" | "assistant_drop" | "member_added";
  "title": string;
  "body": string;
  "data": Record<string, unknown>;
  "created_at": string;
  "read_at": string | null;
};

export type Organization = {
  "id": string;
  "name": string;
  "description": string | null;
  "owner_id": string;
  "settings": Record<string, unknown>;
  "created_at": string;
  "updated_at": string;
};

export type OrganizationMember = {
  "user_id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "role": "owner" | "admin" | "member";
  "is_owner": boolean;
  "joined_at"?: string;
};

export type PlayerCard = {
  "id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "is_ai": boolean;
  "window": {
    "start": string;
    "end": string;
    "timezone": string;
  };
  "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  "custom_activity": string | null;
};

export type Profile = {
  "id": string;
  "email": string | null;
  "full_name": string | null;
  "avatar_url": string | null;
  "preferences": {
    "theme"?: string;
    "notifications"?: boolean;
    "active_tone_pack_id": string | null;
  };
  "drops_balance": number;
  "is_ai": boolean;
  "role": "user" | "admin" | "super_admin";
  "read_notes_enabled": boolean;
  "check_in_enabled": boolean;
  "timezone": string;
  "is_premium": boolean;
  "created_at": string;
  "updated_at": string;
};

export type PushSubscription = {
  "id": string;
  "endpoint": string;
  "created_at": string;
};

export type ReceivedEmail = {
  "id": string;
  "from": string;
  "to": Array<string>;
  "subject": string;
  "text": string | null;
  "html": string | null;
  "is_verified": boolean;
  "received_at": string;
};

export type ReviewedCheckIn = {
  "checkin": AdminCheckIn;
};

export type SentEncouragementDrop = {
  "id": string;
  "sender_id": string;
  "sender": DropSender;
  "recipient_id": string;
  "drop_type": "encouragement" | "media" | "science_tidbit";
  "is_custom": boolean;
  "template_id": string | null;
  "title": string | null;
  "content": string;
  "media_type": "youtube" | "vimeo" | "spotify" | "soundcloud" | null;
  "media_url": string | null;
  "thumbnail_url": string | null;
  "date_sent": string;
  "created_at": string;
  "entry_id": string | null;
  "recipient": DropRecipient;
  "engagement": "open" | "engaged" | "none";
  "engaged_at": string | null;
  "bonus_drops_awarded": number;
};

export type Squad = {
  "user1": PlayerCard | null;
  "user2": PlayerCard | null;
  "user3": PlayerCard | null;
  "teamColor": TeamColor;
};

export type Subscription = {
  "id": string;
  "user_id": string;
  "payment_customer_id": string;
  "payment_subscription_id": string;
  "status": string;
  "created_at": string;
};

export type SyntheticUser = {
  "id": string;
  "full_name": string | null;
  "region": string;
  "city": string;
  "state": string;
  "timezone": string;
  "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  "window_start": string;
  "window_end": string;
  "check_in_probability": number;
  "is_active": boolean;
};

export type Team = {
  "id": string;
  "name": string;
  "description": string | null;
  "org_id": string;
  "admin_id": string;
  "settings": Record<string, unknown>;
  "organizations": {
    "id": string;
    "name": string;
  };
  "created_at": string;
  "updated_at": string;
};

export type TeamColor = "red" | "blue";

export type TeamMember = {
  "user_id": string;
  "full_name": string | null;
  "avatar_url": string | null;
  "role": "admin" | "member";
  "is_admin": boolean;
  "joined_at"?: string;
};

export type TeamStats = {
  "totalMembers": number;
  "completed": number;
  "failed": number;
  "pending": number;
  "completionRate": number;
  "totalChips": number;
};

export type TokenUsage = {
  "month": string;
  "total_tokens": number;
  "total_cost_usd": number;
  "drops_equivalent": number;
  "breakdown": {
    "tone": UsageOfOneKind;
    "images": UsageOfOneKind;
    "packs": UsageOfOneKind;
    "assistant": UsageOfOneKind;
    "analysis": UsageOfOneKind;
  };
};

export type ToneAnalysis = {
  "primaryTone": string;
  "tones": Array<{
    "tone": string;
    "score": number;
  }>;
  "sentiment": "positive" | "negative" | "neutral" | "mixed";
  "confidence": number;
};

export type TonePack = {
  "id": string;
  "owner_id": string;
  "name": string;
  "description": string | null;
  "theme": "origami" | "animals" | "nature" | "abstract" | "geometric" | "minimalist" | "watercolor" | "line-art" | "icons" | "emojis" | "shapes" | "patterns";
  "is_public": boolean;
  "price_drops": number;
  "images": Array<TonePackImage>;
  "access": "owner" | "purchased" | "shared" | "public";
  "is_active": boolean;
  "created_at": string;
  "updated_at": string;
};

export type TonePackImage = {
  "id": string;
  "tone": string;
  "image_url": string;
  "created_at": string;
};

export type UploadResponse = {
  "uploadUrl": string;
  "photoKey": string;
  "expiresAt": string;
};

export type UsageOfOneKind = {
  "tokens": number;
  "cost_usd": number;
  "count": number;
};

export type UserLocation = {
  "user_id": string;
  "ip_address": string | null;
  "latitude": number | null;
  "longitude": number | null;
  "city": string | null;
  "region": string | null;
  "country": string | null;
  "timezone": string | null;
  "last_updated": string;
};

export type Visibility = "user" | "team" | "org" | "public";

export type WeeklyStats = {
  "weekStartDate": string;
  "teamColor": TeamColor | null;
  "daysPlanned": number;
  "completedCount": number;
  "failedCount": number;
  "pendingCount": number;
  "completionRate": number;
  "chipsEarned": number;
  "updatedAt": string;
};

export type WellnessEntry = {
  "id": string;
  "user_id": string;
  "type": "satisfaction" | "action_note" | "sleep";
  "rating": number | null;
  "content": string | null;
  "hours": number | null;
  "quality": number | null;
  "notes": string | null;
  "created_at": string;
};

export type WorkoutCheckIn = {
  "id": string;
  "user_id": string;
  "chain_id": string | null;
  "date": string;
  "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  "custom_activity": string | null;
  "photo_url": string | null;
  "photo_timestamp": string | null;
  "location_lat": number | null;
  "location_lng": number | null;
  "status": "pending" | "verified" | "rejected";
  "battle_chips_earned": number;
  "chip_breakdown": ChipBreakdown;
  "chain_status": "continued" | "broken";
  "team_color": TeamColor | null;
  "battle_week_start": string;
  "flags": Array<"seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time"> | null;
  "review": CheckInReviewed | null;
  "created_at": string;
};

export type WorkoutWindow = {
  "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
  "custom_activity": string | null;
  "window_start_time": string;
  "window_end_time": string;
  "timezone": string;
  "id": string;
  "user_id": string;
  "is_active": boolean;
  "away": Array<{
    "from": string;
    "until": string | null;
  }>;
  "effective_from": string;
  "previous": {
    "activity_type": "cardio" | "strength" | "walk" | "meditation" | "reading" | "homework" | "other";
    "custom_activity": string | null;
    "window_start_time": string;
    "window_end_time": string;
    "timezone": string;
  } | null;
  "created_at": string;
  "updated_at": string;
};

export interface Responses {
  "health": {
    "GET": {
      "status": "ok";
      "timestamp": string;
    };
    "ready": {
      "GET": {
        "status": "ok";
        "timestamp": string;
      };
    };
    "cron": {
      "housekeeping": {
        "POST": JobResponse;
      };
    };
  };
  "api": {
    "auth": {
      "verify": {
        "POST": {
          "user": {
            "id": string;
            "email": string | null;
          };
        };
      };
    };
    "user": {
      "profile": {
        "GET": {
          "profile": Profile;
        };
        "PUT": {
          "profile": Profile;
        };
      };
      "usage": {
        "GET": {
          "usage": TokenUsage;
        };
      };
    };
    "organizations": {
      "GET": {
        "organizations": Array<Organization>;
        "next_cursor": string | null;
      };
      "POST": {
        "organization": Organization;
      };
      "{}": {
        "GET": {
          "organization": Organization;
          "user_role": "owner" | "admin" | "member" | null;
        };
        "PUT": {
          "organization": Organization;
        };
        "DELETE": Message;
        "members": {
          "GET": {
            "members": Array<OrganizationMember>;
            "next_cursor": string | null;
          };
          "POST": {
            "member": OrganizationMember;
          };
          "{}": {
            "PUT": {
              "member": OrganizationMember;
            };
            "DELETE": Message;
          };
        };
        "accept": {
          "POST": {
            "member": OrganizationMember;
          };
        };
        "transfer-ownership": {
          "POST": {
            "organization": Organization;
          };
        };
      };
    };
    "teams": {
      "GET": {
        "teams": Array<Team>;
        "next_cursor": string | null;
      };
      "POST": {
        "team": Team;
      };
      "{}": {
        "GET": {
          "team": Team;
          "user_role": "admin" | "member" | null;
        };
        "PUT": {
          "team": Team;
        };
        "DELETE": Message;
        "members": {
          "GET": {
            "members": Array<TeamMember>;
            "next_cursor": string | null;
          };
          "POST": {
            "member": TeamMember;
          };
          "{}": {
            "PUT": {
              "member": TeamMember;
            };
            "DELETE": Message;
          };
        };
      };
    };
    "notebooks": {
      "GET": {
        "notebooks": Array<Notebook>;
        "next_cursor": string | null;
      };
      "POST": {
        "notebook": Notebook;
      };
      "{}": {
        "GET": {
          "notebook": Notebook;
        };
        "PUT": {
          "notebook": Notebook;
        };
        "DELETE": {
          "message": string;
          "entries_detached": number;
        };
        "entries": {
          "GET": {
            "entries": Array<ListedEntry>;
            "next_cursor": string | null;
          };
        };
      };
    };
    "journal": {
      "GET": {
        "entries": Array<ListedEntry>;
        "next_cursor": string | null;
      };
      "POST": {
        "entry": Entry;
      };
      "tags": {
        "GET": {
          "tags": Array<{
            "tag": string;
            "count": number;
          }>;
        };
      };
      "{}": {
        "GET": {
          "entry": Entry;
        };
        "PUT": {
          "entry": Entry;
        };
        "DELETE": Message;
      };
    };
    "moods": {
      "GET": {
        "moods": Array<{
          "name": "joyful" | "grateful" | "excited" | "hopeful" | "content" | "peaceful" | "optimistic" | "sad" | "anxious" | "frustrated" | "angry" | "worried" | "disappointed" | "melancholic" | "pessimistic" | "calm" | "contemplative" | "neutral" | "tired" | "energetic";
          "category": string;
        }>;
      };
    };
    "ai": {
      "analyze-tone": {
        "POST": ToneAnalysis;
      };
      "generate-background": {
        "POST": {
          "image_url": string;
          "quality": "standard" | "hd";
          "cost_usd": number;
        };
      };
      "backgrounds": {
        "GET": {
          "backgrounds": Array<Background>;
          "next_cursor": string | null;
        };
      };
    };
    "drops": {
      "balance": {
        "GET": {
          "balance": number;
          "drops_balance": number;
        };
      };
      "transactions": {
        "GET": {
          "transactions": Array<DropTransaction>;
          "next_cursor": string | null;
        };
      };
      "award-monthly": {
        "POST": {
          "awarded": boolean;
          "amount": number;
          "balance": number;
          "month": string;
        };
      };
      "cron": {
        "award-monthly-all": {
          "POST": JobResponse;
        };
      };
    };
    "admin": {
      "conversion": {
        "rates": {
          "GET": {
            "current": ConversionRate | null;
            "history": Array<ConversionRate>;
            "next_cursor": string | null;
          };
          "POST": {
            "rate": ConversionRate;
          };
        };
      };
      "users": {
        "GET": {
          "users": Array<AdminUser>;
          "total": number;
          "next_cursor": string | null;
        };
        "{}": {
          "role": {
            "PUT": {
              "user": {
                "id": string;
                "role": "super_admin" | "admin" | "user";
              };
            };
          };
        };
      };
      "emails": {
        "received": {
          "GET": {
            "emails": Array<ReceivedEmail>;
            "next_cursor": string | null;
          };
        };
      };
      "drops": {
        "adjust": {
          "POST": {
            "transaction": DropTransaction;
            "balance": number;
          };
        };
        "refund": {
          "POST": {
            "transaction": DropTransaction;
            "balance": number;
          };
        };
      };
    };
    "tone-packs": {
      "GET": {
        "own": Array<TonePack>;
        "shared": Array<TonePack>;
        "public": Array<TonePack>;
        "purchased": Array<TonePack>;
        "next_cursor": string | null;
      };
      "POST": {
        "tone_pack": TonePack;
      };
      "active": {
        "GET": {
          "tone_pack": TonePack | null;
          "images": Record<string, string>;
          "image_url": string | null;
        };
      };
      "{}": {
        "GET": {
          "tone_pack": TonePack;
        };
        "PUT": {
          "tone_pack": TonePack;
        };
        "DELETE": Message;
        "generate-images": {
          "POST": {
            "images": Array<TonePackImage>;
            "failed": Array<{
              "tone": string;
              "error": string;
            }>;
            "cost_usd": number;
          };
        };
        "share": {
          "POST": {
            "message": string;
            "share": {
              "id": string;
              "pack_id": string;
              "user_id": string | null;
              "created_at": string;
            };
          };
          "{}": {
            "DELETE": Message;
          };
        };
        "activate": {
          "POST": {
            "message": string;
            "active_tone_pack_id": string;
          };
        };
        "purchase": {
          "POST": {
            "purchase": {
              "id": string;
              "pack_id": string;
              "user_id": string;
              "price_drops": number;
              "created_at": string;
            };
            "transaction": {
              "id": string;
              "type": "purchase";
              "amount": number;
              "balance_after": number;
              "description": string;
              "item_id": string;
              "item_type": "tone_pack";
              "created_at": string;
            };
            "balance": number;
          };
        };
      };
    };
    "payment": {
      "create-checkout-session": {
        "POST": {
          "sessionId": string;
          "url": string;
        };
      };
      "create-portal-session": {
        "POST": {
          "url": string;
        };
      };
      "subscription": {
        "GET": {
          "subscription": Subscription | null;
        };
      };
      "webhook": {
        "POST": {
          "received": true;
          "duplicate"?: true;
        };
      };
    };
    "goals": {
      "GET": {
        "goals": Array<Goal>;
        "next_cursor": string | null;
      };
      "POST": {
        "goal": Goal;
      };
      "{}": {
        "GET": {
          "goal": {
            "id": string;
            "user_id": string;
            "title": string;
            "description": string;
            "target_date": string | null;
            "status": "active" | "paused" | "completed" | "abandoned";
            "created_at": string;
            "updated_at": string;
            "check_ins": Array<GoalCheckIn>;
          };
        };
        "PUT": {
          "goal": Goal;
        };
        "DELETE": Message;
        "check-ins": {
          "GET": {
            "check_ins": Array<GoalCheckIn>;
            "next_cursor": string | null;
          };
          "POST": {
            "check_in": GoalCheckIn;
          };
        };
      };
    };
    "wellness-entries": {
      "GET": {
        "wellness_entries": Array<WellnessEntry>;
        "next_cursor": string | null;
      };
      "POST": {
        "wellness_entry": WellnessEntry;
      };
    };
    "notifications": {
      "GET": {
        "notifications": Array<Notification>;
        "next_cursor": string | null;
        "unread_count": number;
      };
      "{}": {
        "read": {
          "POST": {
            "notification": Notification;
          };
        };
      };
      "read-all": {
        "POST": {
          "message": string;
          "marked": number;
        };
      };
      "push-key": {
        "GET": {
          "public_key": string;
        };
      };
      "push-subscriptions": {
        "POST": {
          "subscription": PushSubscription;
        };
        "DELETE": Message;
      };
      "cron": {
        "deliver": {
          "POST": JobResponse;
        };
      };
    };
    "email": {
      "send": {
        "POST": {
          "success": true;
          "message_id": string;
          "status": "sent" | "suppressed";
        };
      };
      "messages": {
        "GET": {
          "messages": Array<EmailMessage>;
          "next_cursor": string | null;
        };
        "{}": {
          "GET": {
            "message": EmailMessage;
          };
        };
      };
      "webhook": {
        "POST": {
          "received": true;
          "duplicate"?: true;
        };
        "cron": {
          "fetch-received": {
            "POST": JobResponse;
          };
        };
      };
    };
    "encouragement-drops": {
      "my-drops": {
        "GET": DropAllowance;
      };
      "templates": {
        "GET": {
          "templates": Array<DropTemplate>;
          "next_cursor": string | null;
        };
      };
      "send": {
        "POST": {
          "drop": EncouragementDrop;
          "allowance": DropAllowance;
          "badge": Badge;
        };
      };
      "received": {
        "GET": {
          "drops": Array<EncouragementDrop>;
          "unread_count": number;
          "next_cursor": string | null;
        };
        "{}": {
          "read": {
            "POST": {
              "drop": EncouragementDrop;
            };
          };
        };
      };
      "sent": {
        "GET": {
          "drops": Array<SentEncouragementDrop>;
          "next_cursor": string | null;
        };
      };
      "config": {
        "GET": {
          "config": DropConfig;
        };
      };
      "admin": {
        "templates": {
          "GET": {
            "templates": Array<DropTemplate>;
            "next_cursor": string | null;
          };
          "POST": {
            "template": DropTemplate;
          };
          "{}": {
            "PUT": {
              "template": DropTemplate;
            };
            "DELETE": Message;
          };
        };
        "config": {
          "GET": {
            "config": DropConfig;
          };
          "PUT": {
            "config": DropConfig;
          };
        };
        "process-engagement": {
          "POST": JobResponse;
        };
      };
      "cron": {
        "process-engagement": {
          "POST": JobResponse;
        };
        "generate-daily-drops": {
          "POST": JobResponse;
        };
      };
      "badge": {
        "GET": {
          "badge": Badge;
        };
        "milestones": {
          "GET": {
            "milestones": Array<BadgeMilestone>;
          };
        };
        "{}": {
          "GET": {
            "badge": Badge;
          };
        };
        "update": {
          "POST": {
            "badge": Badge;
            "leveled_up": boolean;
          };
        };
      };
      "badges": {
        "bulk": {
          "POST": {
            "badges": Array<Badge>;
          };
        };
      };
      "leaderboard": {
        "GET": {
          "leaderboard": Array<LeaderboardEntry>;
          "my_rank": number | null;
        };
      };
      "badge-definitions": {
        "GET": {
          "definitions": Array<BadgeDefinition>;
        };
      };
    };
    "workout-window": {
      "setup": {
        "POST": {
          "window": WorkoutWindow;
          "message": string;
        };
      };
      "my-window": {
        "GET": {
          "window": WorkoutWindow | null;
          "location": UserLocation | null;
        };
        "active": {
          "PUT": {
            "window": WorkoutWindow;
          };
        };
      };
      "update-location": {
        "PUT": {
          "location": UserLocation;
          "message": string;
        };
      };
      "generate-chains": {
        "POST": {
          "success": boolean;
          "message": string;
          "date": string;
          "chainsCreated": number;
          "squadsCreated": number;
        };
      };
      "cron": {
        "generate-chains": {
          "POST": ChainsJobResponse;
        };
        "rematch": {
          "POST": JobResponse;
        };
        "mosaics": {
          "POST": JobResponse;
        };
        "battle": {
          "POST": JobResponse;
        };
        "end-of-day": {
          "POST": JobResponse;
        };
        "reminders": {
          "POST": JobResponse;
        };
        "weekly-stats": {
          "POST": JobResponse;
        };
        "synthetic-check-ins": {
          "POST": JobResponse;
        };
      };
      "chain": {
        "{}": {
          "GET": {
            "chain": Chain;
            "checkins": Array<WorkoutCheckIn>;
          };
        };
      };
      "squad": {
        "{}": {
          "GET": {
            "squad": Squad;
            "checkins": Array<WorkoutCheckIn>;
          };
        };
      };
      "team-stats": {
        "{}": {
          "GET": {
            "redTeam": TeamStats;
            "blueTeam": TeamStats;
          };
        };
      };
      "admin": {
        "teams": {
          "{}": {
            "GET": {
              "date": string;
              "redTeam": AdminTeam;
              "blueTeam": AdminTeam;
              "summary": {
                "totalMembers": number;
                "realUsers": number;
                "aiUsers": number;
                "squads": number;
              };
              "nextCursor": string | null;
            };
          };
        };
        "checkins": {
          "GET": CheckInsToReview;
          "{}": {
            "PUT": ReviewedCheckIn;
          };
        };
        "ai-users": {
          "generate": {
            "POST": {
              "created": number;
              "failed": number;
              "users": Array<SyntheticUser>;
              "errors": Array<string>;
              "seed": string;
            };
          };
          "GET": {
            "users": Array<SyntheticUser>;
            "nextCursor": string | null;
          };
          "{}": {
            "DELETE": Message;
            "toggle": {
              "PUT": {
                "user": SyntheticUser;
              };
            };
          };
        };
      };
      "checkin": {
        "upload-url": {
          "POST": UploadResponse;
        };
        "POST": NewCheckInResponse;
        "{}": {
          "GET": CheckInOfDate;
        };
      };
      "checkins": {
        "{}": {
          "GET": CheckInsOfDate;
        };
      };
      "mosaic": {
        "{}": {
          "GET": {
            "mosaic": Mosaic;
            "nextCursor": string | null;
          };
        };
        "generate": {
          "{}": {
            "POST": {
              "mosaic": Mosaic;
              "nextCursor": string | null;
              "message": string;
            };
          };
        };
      };
      "battle": {
        "week": {
          "{}": {
            "GET": {
              "battle": Battle;
              "redTeam": BattleTeam;
              "blueTeam": BattleTeam;
              "dailyStats": Array<{
                "date": string;
                "redTeamChips": number;
                "blueTeamChips": number;
              }>;
            };
          };
        };
        "history": {
          "GET": {
            "battles": Array<Battle>;
            "userStats": {
              "totalChipsContributed": number;
              "battlesWon": number;
              "longestChain": number;
            };
            "nextCursor": string | null;
          };
        };
        "execute": {
          "{}": {
            "POST": {
              "battle": Battle;
              "winner": BattleWinner;
              "battleResult": BattleResult;
            };
          };
        };
      };
      "weekly-stats": {
        "GET": {
          "weeks": Array<WeeklyStats>;
          "nextCursor": string | null;
        };
      };
    };
    "chat": {
      "settings": {
        "GET": {
          "settings": AssistantSettings;
        };
        "PUT": {
          "settings": AssistantSettings;
        };
      };
      "analysis": {
        "GET": {
          "analysis": NoteAnalysis | null;
        };
        "DELETE": Message;
      };
      "cron": {
        "analyze-notes": {
          "POST": JobResponse;
        };
      };
    };
  };
}
