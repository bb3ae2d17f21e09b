-- By role first: what reaches a role is found in order, without what reaches others.
ALTER TABLE role_target RENAME TO role_target_by_place;
CREATE TABLE role_target (
  role TEXT NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (role, place)
) STRICT, WITHOUT ROWID;
INSERT INTO role_target (role, place) SELECT role, place FROM role_target_by_place ORDER BY role, place;
DROP TABLE role_target_by_place;
