-- Zones are stored with their current name. The list has the names of the IANA database that were replaced.
create temporary table renamed_zones on commit drop as
select old.key as old_name, old.value as name from jsonb_each_text('{
  "africa/asmera": "Africa/Asmara", "africa/timbuktu": "Africa/Bamako",
  "america/argentina/comodrivadavia": "America/Argentina/Catamarca", "america/atka": "America/Adak",
  "america/buenos_aires": "America/Argentina/Buenos_Aires", "america/catamarca": "America/Argentina/Catamarca",
  "america/coral_harbour": "America/Atikokan", "america/cordoba": "America/Argentina/Cordoba",
  "america/ensenada": "America/Tijuana", "america/fort_wayne": "America/Indiana/Indianapolis",
  "america/godthab": "America/Nuuk", "america/indianapolis": "America/Indiana/Indianapolis",
  "america/jujuy": "America/Argentina/Jujuy", "america/knox_in": "America/Indiana/Knox",
  "america/louisville": "America/Kentucky/Louisville", "america/mendoza": "America/Argentina/Mendoza",
  "america/montreal": "America/Toronto", "america/nipigon": "America/Toronto",
  "america/pangnirtung": "America/Iqaluit", "america/porto_acre": "America/Rio_Branco",
  "america/rainy_river": "America/Winnipeg", "america/rosario": "America/Argentina/Cordoba",
  "america/santa_isabel": "America/Tijuana", "america/shiprock": "America/Denver",
  "america/thunder_bay": "America/Toronto", "america/virgin": "America/St_Thomas",
  "america/yellowknife": "America/Edmonton", "antarctica/south_pole": "Antarctica/McMurdo",
  "asia/ashkhabad": "Asia/Ashgabat", "asia/calcutta": "Asia/Kolkata", "asia/choibalsan": "Asia/Ulaanbaatar",
  "asia/chongqing": "Asia/Shanghai", "asia/chungking": "Asia/Shanghai", "asia/dacca": "Asia/Dhaka",
  "asia/harbin": "Asia/Shanghai", "asia/istanbul": "Europe/Istanbul", "asia/kashgar": "Asia/Urumqi",
  "asia/katmandu": "Asia/Kathmandu", "asia/macao": "Asia/Macau", "asia/rangoon": "Asia/Yangon",
  "asia/saigon": "Asia/Ho_Chi_Minh", "asia/tel_aviv": "Asia/Jerusalem", "asia/thimbu": "Asia/Thimphu",
  "asia/ujung_pandang": "Asia/Makassar", "asia/ulan_bator": "Asia/Ulaanbaatar", "atlantic/faeroe": "Atlantic/Faroe",
  "atlantic/jan_mayen": "Arctic/Longyearbyen", "australia/act": "Australia/Sydney",
  "australia/canberra": "Australia/Sydney", "australia/currie": "Australia/Hobart",
  "australia/lhi": "Australia/Lord_Howe", "australia/north": "Australia/Darwin",
  "australia/nsw": "Australia/Sydney", "australia/queensland": "Australia/Brisbane",
  "australia/south": "Australia/Adelaide", "australia/tasmania": "Australia/Hobart",
  "australia/victoria": "Australia/Melbourne", "australia/west": "Australia/Perth",
  "australia/yancowinna": "Australia/Broken_Hill", "brazil/acre": "America/Rio_Branco",
  "brazil/denoronha": "America/Noronha", "brazil/east": "America/Sao_Paulo", "brazil/west": "America/Manaus",
  "canada/atlantic": "America/Halifax", "canada/central": "America/Winnipeg", "canada/eastern": "America/Toronto",
  "canada/mountain": "America/Edmonton", "canada/newfoundland": "America/St_Johns",
  "canada/pacific": "America/Vancouver", "canada/saskatchewan": "America/Regina",
  "canada/yukon": "America/Whitehorse", "chile/continental": "America/Santiago",
  "chile/easterisland": "Pacific/Easter", "etc/gmt": "UTC", "etc/gmt+0": "UTC", "etc/gmt-0": "UTC",
  "etc/gmt0": "UTC", "etc/greenwich": "UTC", "etc/uct": "UTC", "etc/universal": "UTC", "etc/utc": "UTC",
  "etc/zulu": "UTC", "europe/belfast": "Europe/London", "europe/kiev": "Europe/Kyiv",
  "europe/nicosia": "Asia/Nicosia", "europe/tiraspol": "Europe/Chisinau", "europe/uzhgorod": "Europe/Kyiv",
  "europe/zaporozhye": "Europe/Kyiv", "mexico/bajanorte": "America/Tijuana", "mexico/bajasur": "America/Mazatlan",
  "mexico/general": "America/Mexico_City", "pacific/enderbury": "Pacific/Kanton",
  "pacific/johnston": "Pacific/Honolulu", "pacific/ponape": "Pacific/Pohnpei", "pacific/samoa": "Pacific/Pago_Pago",
  "pacific/truk": "Pacific/Chuuk", "pacific/yap": "Pacific/Chuuk", "us/alaska": "America/Anchorage",
  "us/aleutian": "America/Adak", "us/arizona": "America/Phoenix", "us/central": "America/Chicago",
  "us/east-indiana": "America/Indiana/Indianapolis", "us/eastern": "America/New_York",
  "us/hawaii": "Pacific/Honolulu", "us/indiana-starke": "America/Indiana/Knox", "us/michigan": "America/Detroit",
  "us/mountain": "America/Denver", "us/pacific": "America/Los_Angeles", "us/samoa": "Pacific/Pago_Pago"
}'::jsonb) old;
insert into renamed_zones
select lower(z.name), z.name from pg_catalog.pg_timezone_names z
where lower(z.name) not in (select r.old_name from renamed_zones r);
-- A new name of the same zone moves no day, so nothing that follows a change of zone runs.
alter table nectar.accounts disable trigger user;
alter table nectar.user_locations disable trigger user;
alter table nectar.workout_windows disable trigger user;
update nectar.accounts a set timezone = r.name from renamed_zones r
where r.old_name = lower(a.timezone) and a.timezone <> r.name;
update nectar.user_locations l set timezone = r.name from renamed_zones r
where r.old_name = lower(l.timezone) and l.timezone <> r.name;
update nectar.workout_windows w set timezone = r.name from renamed_zones r
where r.old_name = lower(w.timezone) and w.timezone <> r.name;
update nectar.workout_windows w set previous_timezone = r.name from renamed_zones r
where r.old_name = lower(w.previous_timezone) and w.previous_timezone <> r.name;
alter table nectar.accounts enable trigger user;
alter table nectar.user_locations enable trigger user;
alter table nectar.workout_windows enable trigger user;
drop table renamed_zones;
